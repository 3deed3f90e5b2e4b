import Testing

@testable import TerminalIO

struct OutputStyleTests {
  @Test(arguments: [
    (OutputStyle.Choice.auto, true, ["TERM": "xterm"], OutputStyle.styled),
    (.auto, false, ["TERM": "xterm"], .plain),
    (.auto, true, ["TERM": "dumb"], .plain),
    (.auto, true, [:], .plain),
    (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], .plain),
    (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], .styled),
    (.auto, false, ["CLICOLOR_FORCE": "1"], .styled),
    (.auto, false, ["TERM": "xterm", "CLICOLOR_FORCE": "0"], .plain),
    (.auto, true, ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], .plain),
    (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], .styled),
    (.never, true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], .plain),
  ])
  func theOrderOfPrecedenceHolds(
    choice: OutputStyle.Choice, isTerminal: Bool, environment: [String: String], style: OutputStyle
  ) {
    #expect(OutputStyle(choice: choice, isTerminal: isTerminal, environment: environment) == style)
  }
}
