import ArgumentParser
import Foundation
import Logging
import ResolveKitNetworking
import ResolveKitUI
import StreamTransport

/// Holds a conversation of so many turns, each with one tool call, and can be killed at any moment: started again, it
/// continues where it was. `Tools/journal-check` kills it.
@main
struct JournalClient: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal-client", abstract: "Continues a conversation until it has had all its turns.")

  @Option(help: "Base URL of the backend.")
  var url: String

  @Option(help: "PEM file of the certificate to trust.")
  var caFile: String

  @Option(help: "File of the API key.")
  var apiKeyFile: String

  @Option(help: "Folder of the journal.")
  var journal: String

  @Option(help: "File to which the tool appends a line when it starts.")
  var marks: String

  @Option(help: "Turns of the conversation.")
  var turns = 6

  func validate() throws {
    guard URL(string: url) != nil else { throw ValidationError("--url '\(url)' is no URL.") }
    guard turns > 0 else { throw ValidationError("--turns must be at least 1.") }
  }

  @MainActor
  func run() async throws {
    guard let url = URL(string: url) else { return }
    let key = try String(contentsOfFile: apiKeyFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    MarkTool.file = marks
    let folder = ResolveKitJournalFolder(path: journal)
    let kept = try folder.sessions().first
    var logger = Logger(label: "journal-client", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .warning
    let runtime = ResolveKitRuntime(
      configuration: ResolveKitConfiguration(
        baseURL: url, apiKeyProvider: { key }, functions: [MarkTool.self],
        tls: TLSOptions(trust: .certificates(pem: try String(contentsOfFile: caFile, encoding: .utf8))),
        logger: logger, journal: ResolveKitJournalConfiguration(folder: folder)))
    let updates = runtime.updates()
    try await runtime.start()
    var taken = kept?.transcript.count { $0.role == .user } ?? 0
    var isWaiting = kept?.isTurnInProgress ?? false
    var reader = updates.makeAsyncIterator()
    while taken < turns || isWaiting {
      if !isWaiting {
        taken += 1
        await runtime.sendMessage("call mark {\"n\": \(taken)}")
        isWaiting = true
      }
      guard let update = await reader.next() else { break }
      if case .turn(let turn) = update {
        isWaiting = false
        print("turn \(turn.status.rawValue): \(turn.reason ?? turn.text)")
      }
    }
    await runtime.finish()
  }
}
