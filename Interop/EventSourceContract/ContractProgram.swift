import ArgumentParser
import Foundation
import Logging
import UnixSignals

/// The program's one command.
@main struct ContractProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sse-contract-service",
    abstract: "Runs this package's event-source client as LaunchDarkly's sse-contract-tests order it.",
    discussion: """
      Listens on 127.0.0.1 and prints its URL, which is the harness's --url. Serves until SIGTERM, SIGINT or the \
      harness's --stop-service-at-end.
      """)

  @Option(help: "The TCP port; 0 for any. Default: PORT, else 8000.")
  var port: Int?

  @Flag(help: "Say on standard error what each stream does.")
  var verbose = false

  func validate() throws {
    _ = try chosenPort(environment: ProcessInfo.processInfo.environment)
  }

  func run() async throws {
    var logger = Logger(label: "sse-contract-service") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? .debug : .warning
    let port = try chosenPort(environment: ProcessInfo.processInfo.environment)
    try await ContractService(port: port, signals: [.sigterm, .sigint], logger: logger).run { port in
      // Not `print`: its buffer would hold the line back from a pipe.
      FileHandle.standardOutput.write(Data("listening on http://127.0.0.1:\(port)\n".utf8))
    }
  }

  func chosenPort(environment: [String: String]) throws -> Int {
    let text = port.map(String.init) ?? environment["PORT"].flatMap { $0.isEmpty ? nil : $0 } ?? "8000"
    guard let port = Int(text), (0...65_535).contains(port) else {
      throw ValidationError("'\(text)' is no TCP port; give --port, or PORT, a number from 0 to 65535.")
    }
    return port
  }
}
