import Testing

@testable import TerminalIO

struct MessageDraftTests {
  @Test func aLineThatEndsInABackslashContinues() {
    var draft = MessageDraft()
    #expect(draft.take("one\\") == nil)
    #expect(draft.isContinued)
    #expect(draft.take("\\") == nil)
    #expect(draft.take("three") == "one\n\nthree")
    #expect(!draft.isContinued)
    #expect(draft.take("alone") == "alone")
  }

  @Test func aDroppedDraftLeavesNothing() {
    var draft = MessageDraft()
    #expect(draft.take("one\\") == nil)
    draft.discard()
    #expect(draft.take("two") == "two")
  }
}
