import ResolveKitTerminal
import ResolveKitUI
import Testing

@testable import chat

struct AnswerRendererTests {
  private func render(_ updates: [ResolveKitRuntimeUpdate]) -> (answer: String, status: String) {
    var renderer = AnswerRenderer()
    return updates.flatMap { renderer.render($0) }.reduce(into: ("", "")) { result, output in
      switch output {
      case .answer(let text): result.0 += text
      case .status(let text): result.1 += text
      }
    }
  }

  @Test func answerAloneGoesToStandardOutput() {
    let rendered = render([
      .connection(ResolveKitConnectionUpdate(state: .active)),
      .text(turnID: "t", appended: "It is "), .text(turnID: "t", appended: "late."),
      .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "It is late.")),
    ])
    #expect(rendered.answer == "It is late.\n")
    #expect(rendered.status == "")
  }

  @Test func troubleIsReportedOnStandardError() {
    let rendered = render([
      .connection(ResolveKitConnectionUpdate(state: .reconnecting, attempt: 1, reason: "gone")),
      .connection(ResolveKitConnectionUpdate(state: .reconnecting, attempt: 2, reason: "gone")),
      .connection(ResolveKitConnectionUpdate(state: .reconnected)),
      .delivery(requestID: "r", text: "hi", .held),
      .tool(callID: "c", name: "throws", status: .failed("full")),
      .turn(ResolveKitFinishedTurn(turnID: "t", status: .failed, text: "half", reason: "interrupted")),
    ])
    #expect(rendered.answer == "half\n")
    #expect(
      rendered.status == """
        chat: reconnecting: gone
        chat: reconnected
        chat: an earlier turn still runs on the server; the message waits for its end
        chat: throws failed: full
        chat: the turn failed: interrupted

        """)
  }
}
