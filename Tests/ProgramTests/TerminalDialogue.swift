import Foundation
import Subprocess
import Synchronization
import SystemPackage

/// A program on a terminal of its own, talked to in order: what is expected comes behind what was expected before.
final class TerminalDialogue: Sendable {
  struct Outcome {
    var status: TerminationStatus
    /// All that the program wrote.
    var record: String
    /// Whether the terminal is as it was before the program.
    var isGivenBack: Bool

    /// The record without styles.
    var plain: String { record.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
  }

  let terminal: PseudoTerminal
  let process: pid_t
  private let place = Mutex(0)

  private init(terminal: PseudoTerminal, process: pid_t) {
    self.terminal = terminal
    self.process = process
  }

  /// Runs a program until it ends; `body` types and reads.
  ///
  /// - Parameters:
  ///   - state: the folder for all that it keeps; nil for one that goes with it.
  ///   - shell: what a shell does with the program, `"$@"`.
  static func hold(
    with program: String, _ arguments: [String] = [], environment: [String: String] = [:], state: URL? = nil,
    shell: String = #"exec "$@""#, _ body: @escaping @Sendable (TerminalDialogue) async throws -> Void
  ) async throws -> Outcome {
    let terminal = try PseudoTerminal()
    let folder = state ?? temporaryFolder()
    defer { if state == nil { try? FileManager.default.removeItem(at: folder) } }
    var variables: [Environment.Key: String?] = [
      "XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "TERM": "xterm-256color", "EDITRC": "/dev/null",
      "RESOLVEKIT_BASE_URL": nil, "RESOLVEKIT_API_KEY": nil, "NO_COLOR": nil, "CLICOLOR_FORCE": nil,
    ]
    for (key, value) in environment { variables[Environment.Key(stringLiteral: key)] = value }
    var options = PlatformOptions()
    options.createSession = true
    // The leader of a session that opens a terminal gets it as its own.
    let script = #"exec <"$0" >"$0" 2>&1; stty rows 24 cols 80; "# + shell
    let result = try await Subprocess.run(
      .name("sh"),
      arguments: Arguments(["-c", script, terminal.path, BuiltProgram(name: program).path.string] + arguments),
      environment: .inherit.updating(variables), platformOptions: options,
      input: .none, output: .discarded, error: .discarded
    ) { execution in
      try await body(TerminalDialogue(terminal: terminal, process: execution.processIdentifier.value))
    }
    let isGivenBack = terminal.hasLineMode
    await terminal.end()
    return Outcome(status: result.terminationStatus, record: terminal.record, isGivenBack: isGivenBack)
  }

  static func temporaryFolder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "terminal-\(UUID().uuidString)")
  }

  /// Waits until `words` were written.
  func expect(_ words: String) async throws {
    let end = try await terminal.expect(words, from: place.withLock { $0 })
    place.withLock { $0 = end }
  }

  /// Waits for the prompt.
  func prompt() async throws { try await expect("> ") }

  func type(_ text: String) { terminal.type(text) }

  /// Waits for the prompt, and types a line there.
  func say(_ line: String) async throws {
    try await prompt()
    type(line + "\r")
  }

  /// Waits for the prompt, and ends the input there.
  func leave() async throws {
    try await prompt()
    type("\u{4}")
  }
}
