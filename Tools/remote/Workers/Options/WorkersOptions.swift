import ArgumentParser
import CodexWorkersClient
import Foundation
import Logging
import ResolveKitCore
import StreamTransport

/// The runtime, and how it is reached.
struct WorkersOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The runtime's URL. Default: $WORKERS_SERVER, else the one that was signed in to last.", valueName: "url"))
  var server: String?

  @Option(help: ArgumentHelp("Trust the authorities in this PEM file and no others.", valueName: "file"))
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "The folder of sign-ins and caches, by default $XDG_STATE_HOME/agent-stream or ~/.local/state/agent-stream.",
      valueName: "path"))
  var stateFolder: String?

  @Flag(help: "Log calls and attempts, with their request ids, to standard error.")
  var verbose = false

  var folder: String {
    stateFolder ?? StateFolder(environment: ProcessInfo.processInfo.environment).path
  }

  var credentials: WorkersCredentialFile { WorkersCredentialFile(folder: folder) }

  /// The runtime that is meant. Throws a usage error where none is.
  func place() throws -> WorkersPlace {
    let named = server ?? ProcessInfo.processInfo.environment["WORKERS_SERVER"]
    guard let text = try named ?? credentials.all().first?.server else {
      throw ValidationError("No runtime is known: give --server, or sign in: remote workers login URL")
    }
    return try WorkersPlace(text, self)
  }
}

/// A runtime and what is known of the sign-in there.
struct WorkersPlace: Sendable {
  private let place: WorkersServer
  let transport: any HTTPTransport
  let logger: Logger
  let credentials: WorkersCredentialFile
  let folder: String

  init(_ text: String, _ options: WorkersOptions) throws {
    guard let place = WorkersServer(text) else {
      throw ValidationError("The server is an https URL such as https://agents.example; '\(text.visible)' is not.")
    }
    self.place = place
    folder = options.folder
    credentials = options.credentials
    var logger = Logger(label: "remote") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = options.verbose ? .debug : .error
    self.logger = logger
    try? PrivateFile.makeDirectory(folder)
    do {
      transport = try place.transport(caFile: options.caFile, files: folder + "/workers", logger: logger)
    } catch {
      throw ValidationError(error.message)
    }
  }

  var server: String { place.name }

  /// Runs a command; what the API refuses becomes a sentence and an exit code.
  func run(_ body: () async throws -> Void) async throws {
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    await transport.close()
    try WorkersExit.judge(result, server: server)
  }

  /// The client with the sign-in that is kept, read again for each call: another terminal may have signed in.
  var client: WorkersClient {
    WorkersClient(baseURL: place.url, transport: transport, logger: logger) { [credentials, server] in
      if let token = ProcessInfo.processInfo.environment["WORKERS_TOKEN"] { return token }
      return (try? credentials.credential(for: server))?.token
    }
  }

  /// The account's name on disk.
  var account: String { (try? credentials.credential(for: server))?.account ?? "token" }

  func eventCache(of worker: String) -> WorkerEventCache {
    WorkerEventCache(folder: folder + "/workers-events", server: server, account: account, worker: worker)
  }

  /// The requests that this machine sent to a worker.
  func requestFile(of worker: String) -> WorkerRequestFile {
    WorkerRequestFile(folder: folder + "/workers-events", server: server, account: account, worker: worker)
  }

  /// A timeline that knows this machine's requests.
  func timeline(of worker: String, entries: Int = 500) -> WorkerTimeline {
    var timeline = WorkerTimeline(maximumEntries: entries)
    for request in requestFile(of: worker).requests { timeline.willSend(request) }
    return timeline
  }

  /// Signs in by a code, on a terminal or a pipe. Returns after the sign-in is kept.
  func signIn(email: String) async throws -> WorkersCredential {
    let signIn = WorkersSignIn(baseURL: place.url, transport: transport, logger: logger)
    let pending = try await signIn.begin(email: email)
    FileHandle.standardError.write(Data("A code was sent to \(email.visible). Code: ".utf8))
    guard let code = readLine()?.trimmingCharacters(in: .whitespaces), !code.isEmpty else {
      throw ValidationError("There was no code; run the command again.")
    }
    let credential = try await signIn.finish(pending, code: code)
    try credentials.keep(credential)
    return credential
  }
}
