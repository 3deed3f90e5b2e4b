import CodexRemoteClient
import ResolveKitCore
import TerminalIO
import Testing

@testable import remote

/// A form on the terminal of `remote`.
@MainActor
struct RemoteFormDialogueTests {
  private let schema: JSONValue = [
    "required": ["colour"],
    "properties": [
      "colour": [
        "type": "string", "title": "Colour", "enum": ["red", "green"], "description": "\u{1B}[2Jof\u{202E} it",
      ],
      "coats": ["type": "integer", "maximum": 3, "default": 2], "words": ["type": "string"],
    ],
  ]

  private func run(_ lines: [LineAnswer]) async throws -> (FormDialogue.Outcome, shown: String, left: Int) {
    var lines = lines[...]
    var shown = ""
    let dialogue = FormDialogue(
      try RemoteForm(schema: schema), ask: { _ in lines.popFirst() ?? .end }, write: { shown += $0 })
    let outcome = await dialogue.run()
    return (outcome, shown, lines.count)
  }

  @Test func aWrongAnswerIsAskedAgainAndAnEmptyOneIsThePreset() async throws {
    let (outcome, shown, left) = try await run([
      .line(""), .line("blue"), .line("2"), .line("9"), .line(" "), .line(""), .line("?"), .line("y"),
    ])
    #expect(outcome == .content(["colour": "green", "coats": 2]) && left == 0)
    #expect(shown.contains("  1 red\n") && shown.contains("has to be answered") && shown.contains("up to 3"))
    #expect(shown.contains("Colour: \"green\"\n"))
  }

  @Test func nothingIsSentBeforeAYes() async throws {
    #expect(try await run([.line("1"), .line(""), .line(""), .line("n")]).0 == .givenUp)
    #expect(try await run([.line("1"), .line(""), .dropped]).0 == .givenUp)
    #expect(try await run([.line("1"), .overtaken]).0 == .overtaken)
    #expect(try await run([.line("1"), .line(""), .line("")]).0 == .end)
  }

  @Test func whatTheServerSaysDoesNotSteerTheTerminal() async throws {
    let shown = try await run([.line("1"), .line(""), .line(""), .line("y")]).shown
    #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }
}
