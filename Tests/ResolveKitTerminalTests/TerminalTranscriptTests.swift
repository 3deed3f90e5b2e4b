import ResolveKitCore
import Testing

@testable import ResolveKitTerminal

struct TerminalTranscriptTests {
  private let transcript: TerminalTranscript = {
    func item(_ id: String, _ status: ToolCallItemStatus) -> ToolCallChecklistItem {
      ToolCallChecklistItem(
        call: ResolveKitPendingToolCall(
          callID: id, functionName: "get_time", arguments: ["zone": "UTC\u{1B}"], timeoutSeconds: 30,
          humanDescription: "", requiresApproval: false), status: status)
    }
    return TerminalTranscript(
      messages: [
        ResolveKitChatMessage(id: "r", role: .user, text: "time?"),
        ResolveKitChatMessage(id: "t", role: .assistant, text: "noon\u{1B}"),
      ],
      batches: [
        ToolCallChecklistBatch(
          id: 1, turnID: "t", state: .finished, items: [item("c", .completed)]),
        ToolCallChecklistBatch(
          id: 2, turnID: "u", state: .executing, items: [item("d", .running)]),
      ])
  }()

  @Test func callsStandBeforeTheirAnswerInMarkdown() {
    #expect(
      transcript.markdown == """
        # Conversation

        ## You

        time?

        - `get_time` {"zone":"UTC\\u001b"}: completed

        ## Agent

        noon

        - `get_time` {"zone":"UTC\\u001b"}: running

        """)
  }

  @Test func everyByteIsInTheJSONLines() {
    #expect(
      transcript.jsonLines == """
        {"id":"r","kind":"message","role":"user","text":"time?"}
        {"arguments":{"zone":"UTC\\u001b"},"arguments_text":"{\\"zone\\":\\"UTC\\\\u001b\\"}","call_id":"c","kind":"tool","name":"get_time","status":"completed"}
        {"id":"t","kind":"message","role":"assistant","text":"noon\\u001b"}
        {"arguments":{"zone":"UTC\\u001b"},"arguments_text":"{\\"zone\\":\\"UTC\\\\u001b\\"}","call_id":"d","kind":"tool","name":"get_time","status":"running"}

        """)
  }
}
