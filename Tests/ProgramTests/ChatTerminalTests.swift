import Foundation
import Subprocess
import SystemPackage
import Testing

/// `chat` on a terminal of 80×24, with the backend that it brings.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ChatTerminalTests {
  /// Runs `chat` on a terminal of its own until it ends; `body` types and reads, and gets the process's number.
  private func session(
    _ arguments: [String] = [], environment: [String: String] = [:], state: URL? = nil,
    _ body: @escaping @Sendable (PseudoTerminal, pid_t) async throws -> Void
  ) async throws -> (status: TerminationStatus, terminal: PseudoTerminal) {
    let terminal = try PseudoTerminal()
    let folder = state ?? FileManager.default.temporaryDirectory.appending(path: "chat-tty-\(UUID().uuidString)")
    defer { if state == nil { try? FileManager.default.removeItem(at: folder) } }
    var variables: [Environment.Key: String?] = [
      "XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "RESOLVEKIT_BASE_URL": nil,
      "TERM": "xterm-256color",
      "NO_COLOR": nil, "CLICOLOR_FORCE": nil, "EDITRC": "/dev/null",
    ]
    for (key, value) in environment { variables[Environment.Key(stringLiteral: key)] = value }
    var options = PlatformOptions()
    options.createSession = true
    // The leader of a session that opens a terminal gets it as its own.
    let script = #"exec <"$0" >"$0" 2>&1; stty rows 24 cols 80; exec "$@""#
    let program = BuiltProgram(name: "chat").path.string
    let result = try await Subprocess.run(
      .name("sh"), arguments: Arguments(["-c", script, terminal.path, program] + arguments),
      environment: .inherit.updating(variables), platformOptions: options,
      input: .none, output: .discarded, error: .discarded
    ) { execution in
      try await body(terminal, execution.processIdentifier.value)
    }
    return (result.terminationStatus, terminal)
  }

  private func plain(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  @Test func aConversationIsAppendedAndTheTerminalGivenBack() async throws {
    let (status, terminal) = try await session { terminal, _ in
      let ready = try await terminal.expect("> ")
      #expect(!terminal.hasLineMode)
      terminal.type("tell me a story of 60 words\r")
      let told = try await terminal.expect("5. a small", from: ready)
      let next = try await terminal.expect("> ", from: told)
      terminal.type("say **bold words** again\r")
      let bold = try await terminal.expect("\u{1B}[1mbold\u{1B}[0m \u{1B}[1mwords\u{1B}[0m", from: next)
      try await terminal.expect("> ", from: bold)
      terminal.type("\u{4}")
    }
    #expect(status == .exited(0))
    let record = terminal.record
    #expect(record.contains("\u{1B}[?2004h") && record.hasSuffix("\u{1B}[?2004l"))
    #expect(terminal.hasLineMode)
    // Nothing moves up or erases, so nothing that was scrolled away is painted over.
    #expect(!record.contains(/\u{1B}\[[0-9]*A/) && !record.contains(/\u{1B}\[[0-9]*;[0-9]*H/))
    #expect(!record.contains("\u{1B}[2J") && !record.contains("\u{1B}[?1049h"))
    #expect(plain(record).contains("[active · HTTP/3"))
    terminal.close()
  }

  @Test func aPasteIsOneMessageAndHistoryIsKept() async throws {
    let state = FileManager.default.temporaryDirectory.appending(path: "chat-tty-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: state) }
    let file = state.path + "/out.jsonl"
    let (status, first) = try await session(state: state) { terminal, _ in
      let ready = try await terminal.expect("> ")
      terminal.type("\u{1B}[200~first line\rsecond\u{1B}[31m line\u{1B}[201~\r")
      let quoted = try await terminal.expect("second[31m line”", from: ready)
      let next = try await terminal.expect("> ", from: quoted)
      terminal.type("/export \(file)\r")
      let written = try await terminal.expect("written to", from: next)
      try await terminal.expect("> ", from: written)
      terminal.type("/quit\r")
    }
    #expect(status == .exited(0))
    let transcript = try String(contentsOfFile: file, encoding: .utf8)
    #expect(transcript.contains(#""text":"first line\nsecond[31m line""#), "\(transcript)")
    first.close()
    // Up, up, up: /quit, /export, the pasted message.
    let (again, second) = try await session(state: state) { terminal, _ in
      let ready = try await terminal.expect("> ")
      terminal.type("\u{1B}[A\u{1B}[A\u{1B}[A\r")
      let quoted = try await terminal.expect("You wrote:", from: ready)
      try await terminal.expect("> ", from: quoted)
      terminal.type("\u{4}")
    }
    #expect(again == .exited(0))
    second.close()
  }

  @Test func ctrlCStopsTheAnswerAndTwiceQuits() async throws {
    let (status, terminal) = try await session { terminal, _ in
      let ready = try await terminal.expect("> ")
      terminal.type("tell me a story of 2000 words\r")
      let told = try await terminal.expect("3. a small", from: ready)
      terminal.type("\u{3}")
      let stopped = try await terminal.expect("[stopped]", from: told)
      try await terminal.expect("> ", from: stopped)
      terminal.type("\u{3}")
    }
    #expect(status == .exited(130))
    #expect(terminal.hasLineMode)
    terminal.close()
  }

  @Test func ctrlCAtThePromptDropsTheLine() async throws {
    let (status, terminal) = try await session { terminal, _ in
      let ready = try await terminal.expect("> ")
      terminal.type("half a mess")
      let typed = try await terminal.expect("mess", from: ready)
      terminal.type("\u{3}")
      let warned = try await terminal.expect("Ctrl-C again quits", from: typed)
      let next = try await terminal.expect("> ", from: warned)
      terminal.type("whole\r")
      let answered = try await terminal.expect("“whole”", from: next)
      try await terminal.expect("> ", from: answered)
      terminal.type("\u{4}")
    }
    #expect(status == .exited(0))
    terminal.close()
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func aSignalGivesTheTerminalBack(number: Int32) async throws {
    let (status, terminal) = try await session { terminal, process in
      try await terminal.expect("> ")
      #expect(!terminal.hasLineMode)
      kill(process, number)
    }
    #expect(status == .signaled(number))
    #expect(terminal.hasLineMode)
    #expect(terminal.record.hasSuffix("\u{1B}[?2004l"))
    terminal.close()
  }

  @Test func whatWasTypedBeforeAQuestionIsNoAnswerToIt() async throws {
    let (status, terminal) = try await session { terminal, _ in
      let ready = try await terminal.expect("> ")
      terminal.type("list the files in /etc\ry\r")
      let asked = try await terminal.expect("never: ", from: ready)
      // The early `y` was forgotten: without this one nothing would go on.
      terminal.type("n\r")
      let declined = try await terminal.expect("list_files was not run", from: asked)
      try await terminal.expect("> ", from: declined)
      terminal.type("\u{4}")
    }
    #expect(status == .exited(0))
    terminal.close()
  }

  @Test func withoutColourMarkdownIsShownAsItIs() async throws {
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let (status, terminal) = try await session(environment: environment) { terminal, _ in
        let ready = try await terminal.expect("> ")
        terminal.type("say **this**\r")
        let quoted = try await terminal.expect("“say **this**”", from: ready)
        try await terminal.expect("> ", from: quoted)
        terminal.type("\u{4}")
      }
      #expect(status == .exited(0))
      #expect(!terminal.record.contains(/\u{1B}\[[0-9;]+m/))
      if environment["TERM"] != nil { #expect(!terminal.record.contains("\u{1B}")) }
      terminal.close()
    }
  }

  @Test func aConversationGoesOnInANewProcess() async throws {
    let state = FileManager.default.temporaryDirectory.appending(path: "chat-tty-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: state) }
    let (status, first) = try await session(state: state) { terminal, process in
      let ready = try await terminal.expect("> ")
      terminal.type("remember the word plum\r")
      let quoted = try await terminal.expect("plum”", from: ready)
      try await terminal.expect("> ", from: quoted)
      kill(process, SIGKILL)
    }
    #expect(status == .signaled(SIGKILL))
    first.close()
    let (again, second) = try await session(["--continue"], state: state) { terminal, _ in
      let mine = try await terminal.expect("remember the word plum")
      let quoted = try await terminal.expect("plum”", from: mine)
      let ready = try await terminal.expect("> ", from: quoted)
      terminal.type("and pear\r")
      let answered = try await terminal.expect("“and pear”", from: ready)
      try await terminal.expect("> ", from: answered)
      terminal.type("\u{4}")
    }
    #expect(again == .exited(0))
    second.close()
    let list = try await BuiltProgram(name: "chat").run(["--list"], environment: ["XDG_STATE_HOME": state.path])
    #expect(list.status == .exited(0))
    #expect(list.output.contains("remember the word plum") && list.output.split(separator: "\n").count == 1)
  }
}
