import Foundation
import Subprocess
import Testing

/// `chat` on a terminal of 80×24, with the backend that it brings.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ChatTerminalTests {
  private func session(
    _ arguments: [String] = [], environment: [String: String] = [:], state: URL? = nil,
    _ body: @escaping @Sendable (TerminalDialogue) async throws -> Void
  ) async throws -> TerminalDialogue.Outcome {
    try await TerminalDialogue.hold(with: "chat", arguments, environment: environment, state: state, body)
  }

  @Test func aConversationIsAppendedAndTheTerminalGivenBack() async throws {
    let outcome = try await session { chat in
      try await chat.prompt()
      #expect(!chat.terminal.hasLineMode)
      chat.type("tell me a story of 60 words\r")
      try await chat.expect("5. a small")
      try await chat.say("say **bold words** again")
      try await chat.expect("\u{1B}[1mbold\u{1B}[0m \u{1B}[1mwords\u{1B}[0m")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0) && outcome.isGivenBack)
    let record = outcome.record
    #expect(record.contains("\u{1B}[?2004h") && record.hasSuffix("\u{1B}[?2004l"))
    // Nothing moves up or erases, so nothing that was scrolled away is painted over.
    #expect(!record.contains(/\u{1B}\[[0-9]*A/) && !record.contains(/\u{1B}\[[0-9]*;[0-9]*H/))
    #expect(!record.contains("\u{1B}[2J") && !record.contains("\u{1B}[?1049h"))
    #expect(outcome.plain.contains("[active · HTTP/3"))
  }

  @Test func aPasteIsOneMessageAndHistoryIsKept() async throws {
    let state = TerminalDialogue.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: state) }
    let file = state.path + "/out.jsonl"
    let first = try await session(state: state) { chat in
      try await chat.say("\u{1B}[200~first line\rsecond\u{1B}[31m line\u{1B}[201~")
      try await chat.expect("second[31m line”")
      try await chat.say("/export \(file)")
      try await chat.expect("written to")
      try await chat.say("/quit")
    }
    #expect(first.status == .exited(0))
    let transcript = try String(contentsOfFile: file, encoding: .utf8)
    #expect(transcript.contains(#""text":"first line\nsecond[31m line""#), "\(transcript)")
    // Up, up, up: /quit, /export, the pasted message.
    let second = try await session(state: state) { chat in
      try await chat.say("\u{1B}[A\u{1B}[A\u{1B}[A")
      try await chat.expect("You wrote:")
      try await chat.leave()
    }
    #expect(second.status == .exited(0))
  }

  @Test func ctrlCStopsTheAnswerAndTwiceQuits() async throws {
    let outcome = try await session { chat in
      try await chat.say("tell me a story of 2000 words")
      try await chat.expect("3. a small")
      chat.type("\u{3}")
      try await chat.expect("[stopped]")
      try await chat.prompt()
      chat.type("\u{3}")
    }
    #expect(outcome.status == .exited(130) && outcome.isGivenBack)
  }

  @Test func ctrlCAtThePromptDropsTheLineAndNoMoreThanThat() async throws {
    let outcome = try await session { chat in
      for _ in 1...2 {
        try await chat.prompt()
        chat.type("half a mess")
        try await chat.expect("mess")
        chat.type("\u{3}")
        try await chat.expect("Ctrl-C again quits")
      }
      try await chat.say("whole")
      try await chat.expect("“whole”")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0))
  }

  @Test func ctrlCGivesTheTerminalBackBeforeAnythingIsConnected() async throws {
    let outcome = try await session { chat in
      try await chat.expect("\u{1B}[?2004h")
      chat.type("\u{3}")
    }
    #expect(outcome.status == .signaled(SIGINT) || outcome.status == .exited(130))
    #expect(outcome.isGivenBack)
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func aSignalGivesTheTerminalBack(number: Int32) async throws {
    let outcome = try await session { chat in
      try await chat.prompt()
      #expect(!chat.terminal.hasLineMode)
      kill(chat.process, number)
    }
    #expect(outcome.status == .signaled(number) && outcome.isGivenBack)
    #expect(outcome.record.hasSuffix("\u{1B}[?2004l"))
  }

  /// A terminal as of a window that runs nothing but chat.
  @Test func ctrlZDoesNothingWhereNobodyCouldContinue() async throws {
    let outcome = try await session { chat in
      try await chat.prompt()
      chat.type("one ")
      try await chat.expect("one ")
      chat.type("\u{1A}")
      try await chat.say("\u{1B}[200~and\rtwo\u{1B}[201~")
      try await chat.expect("two”")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0))
    #expect(outcome.plain.contains("“one and"))
  }

  @Test func ctrlZStopsAndTheShellContinuesWithEverythingInPlace() async throws {
    let outcome = try await TerminalDialogue.hold(with: "chat", shell: #"set -m; "$@"; echo "stopped $?"; read _; fg"#)
    {
      chat in
      try await chat.prompt()
      chat.type("half ")
      try await chat.expect("half ")
      chat.type("\u{1A}")
      try await chat.expect("stopped ")
      #expect(chat.terminal.hasLineMode)
      chat.type("\r")
      try await chat.expect("half ")
      chat.type("\u{1B}[200~and\rwhole\u{1B}[201~\r")
      try await chat.expect("whole”")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0) && outcome.isGivenBack)
    #expect(outcome.plain.contains("“half and"))
  }

  @Test func whatWasTypedBeforeAQuestionIsNoAnswerToIt() async throws {
    for arguments in [[], ["--plain"]] {
      let outcome = try await session(arguments) { chat in
        try await chat.say("list the files in /etc\ry")
        try await chat.expect("never: ")
        // The early `y` was forgotten: without this one nothing would continue.
        chat.type("n\r")
        try await chat.expect("list_files was not run")
        try await chat.leave()
      }
      #expect(outcome.status == .exited(0))
    }
  }

  @Test func withoutColourMarkdownIsShownAsItIs() async throws {
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let outcome = try await session(environment: environment) { chat in
        try await chat.say("say **this**")
        try await chat.expect("“say **this**”")
        try await chat.leave()
      }
      #expect(outcome.status == .exited(0))
      #expect(!outcome.record.contains(/\u{1B}\[[0-9;]+m/))
      if environment["TERM"] != nil { #expect(!outcome.record.contains("\u{1B}")) }
    }
  }

  @Test func aDraftComesBackFromEarlierMessages() async throws {
    let outcome = try await session { chat in
      try await chat.say("first one")
      try await chat.expect("“first one”")
      try await chat.prompt()
      // Down where there is nothing newer; up, up beyond the oldest, down again, and one more.
      chat.type("draft\u{1B}[B\u{1B}[A\u{1B}[A\u{1B}[B\u{1B}[B kept\r")
      try await chat.expect("“draft kept”")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0))
  }

  @Test func keysThatMoveTypeNothing() async throws {
    let outcome = try await session { chat in
      try await chat.prompt()
      chat.type("two words")
      // Ctrl-Left, Delete, Home, F5, Insert, Page Down, End, Ctrl-Right.
      chat.type("\u{1B}[1;5D\u{1B}[3~\u{1B}[1~\u{1B}[15~\u{1B}[2~\u{1B}[6~\u{1B}[4~\u{1B}[1;5C\r")
      try await chat.expect("“two ords”")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0))
  }

  @Test func brokenLettersLeaveTheKeysAfterThemAlone() async throws {
    let outcome = try await session { chat in
      try await chat.prompt()
      // An é in Latin-1, and Enter.
      chat.terminal.type([0x63, 0x61, 0x66, 0xE9, 0x0D])
      try await chat.expect("“caf\u{FFFD}”")
      try await chat.leave()
    }
    #expect(outcome.status == .exited(0))
  }

  @Test func aConversationContinuesInANewProcess() async throws {
    let state = TerminalDialogue.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: state) }
    let first = try await session(state: state) { chat in
      try await chat.say("remember the word plum")
      try await chat.expect("plum”")
      try await chat.prompt()
      kill(chat.process, SIGKILL)
    }
    #expect(first.status == .signaled(SIGKILL))
    let second = try await session(["--continue"], state: state) { chat in
      try await chat.expect("remember the word plum")
      try await chat.expect("plum”")
      try await chat.say("and pear")
      try await chat.expect("“and pear”")
      try await chat.leave()
    }
    #expect(second.status == .exited(0))
    let list = try await BuiltProgram(name: "chat").run(["--list"], environment: ["XDG_STATE_HOME": state.path])
    #expect(list.status == .exited(0))
    #expect(list.output.contains("remember the word plum") && list.output.split(separator: "\n").count == 1)
  }
}
