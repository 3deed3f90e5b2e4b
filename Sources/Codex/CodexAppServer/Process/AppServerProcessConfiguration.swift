/// The configuration of codex's process.
package struct AppServerProcessConfiguration: Sendable {
  /// The channel to codex.
  package enum Mode: Sendable {
    /// A socket. Codex continues with its turns when we end, and a later process joins it.
    case socket
    /// Codex's input and output. It ends with us, and its turns with it.
    case stdio
  }

  package var program: CodexProgram
  /// The arguments after `codex app-server`, such as `-c key=value`.
  package var arguments: [String]
  package var environment: [String: String]
  package var folder: SocketFolder
  package var mode: Mode
  package var client: AppServerClient
  package var limits = AppServerLimits()
  package var restarts = RestartRule()
  /// From the start of the process until it has answered `initialize`.
  package var startTime = Duration.seconds(20)

  package init(
    program: CodexProgram, arguments: [String] = [], environment: [String: String], folder: SocketFolder,
    mode: Mode = .socket, client: AppServerClient
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
    self.mode = mode
    self.client = client
  }
}
