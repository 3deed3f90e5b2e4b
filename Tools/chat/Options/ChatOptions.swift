import ArgumentParser
import Foundation
import Logging

/// What the command line says.
struct ChatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The backend's address, such as https://localhost:8443 (or RESOLVEKIT_BASE_URL). Without one, a backend runs inside this program."
    ))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "A file that holds the API key (or RESOLVEKIT_API_KEY; a key as an argument would show in the process list)."))
  var apiKeyFile: String?

  @Option(help: "PEM certificates to trust in place of the system's.")
  var caFile: String?

  @Option(help: "auto: HTTP/3, and HTTP/1.1 where UDP does not pass; h3 or h1: that one only.")
  var transport: TransportChoice = .auto

  @Option(help: "What happens to tool calls that need approval: ask on the terminal, run all, run none.")
  var approve: ApprovalChoice = .ask

  @Flag(help: "Print one JSON object a line: connection, session, event, tool and turn.")
  var jsonl = false

  @Option(help: "Seconds to wait for the connection (default 30) and, where given, for each turn.")
  var timeout: Double?

  @Flag(help: "Allow plain http to other hosts than this one.")
  var allowPlaintext = false

  @Option(help: ArgumentHelp("Write each HTTP/3 connection's events to this directory, for qvis.", valueName: "dir"))
  var qlog: String?

  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  var logLevel: LogLevel?

  @Flag(name: .shortAndLong, help: "The same as --log-level info.")
  var verbose = false

  @Argument(help: "The message. Without one it is read from a pipe, or typed.")
  var prompt: [String] = []

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 86_400) {
      throw ValidationError("--timeout takes seconds, more than 0 and at most 86400.")
    }
    if let url, URL(string: url)?.host(percentEncoded: false)?.isEmpty ?? true {
      throw ValidationError("'\(url)' is no address; give one such as https://localhost:8443.")
    }
  }

  var level: Logger.Level {
    logLevel?.level ?? (verbose ? .info : .warning)
  }

  /// How long the first connection may take.
  var connectTimeout: Duration { .seconds(timeout ?? 30) }
  /// How long a turn may take, nil for as long as it needs.
  var turnTimeout: Duration? { timeout.map { .seconds($0) } }
}
