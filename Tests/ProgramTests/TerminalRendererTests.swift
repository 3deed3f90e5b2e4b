import ResolveKitUI
import StreamTransport
import Testing

@testable import chat

struct TerminalRendererTests {
  private func screen(_ updates: [ResolveKitRuntimeUpdate]) -> String {
    var renderer = TerminalRenderer()
    return updates.flatMap { renderer.render($0) }.reduce(into: "") { screen, output in
      switch output {
      case .answer(let text), .status(let text): screen += text
      }
    }
  }

  @Test func textIsAppendedAsItStreams() {
    #expect(
      screen([
        .text(turnID: "t", appended: "Hel"), .text(turnID: "t", appended: "lo"),
        .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "Hello")),
      ]) == "Hello\n")
  }

  @Test func answerWithoutDeltasIsShownAtTheEnd() {
    #expect(
      screen([.turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "All at once"))]) == "All at once\n")
  }

  @Test func correctedTextStartsOnALineOfItsOwn() {
    #expect(
      screen([
        .text(turnID: "t", appended: "wrong"), .textCorrected(turnID: "t", text: "right"),
        .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "right")),
      ]) == "wrong\nright\n")
  }

  @Test func toolsAndTroubleBreakTheLine() {
    #expect(
      screen([
        .text(turnID: "t", appended: "Let me see"),
        .tool(callID: "c", name: "get_local_time", status: .running),
        .tool(callID: "c", name: "get_local_time", status: .completed),
        .connection(
          ResolveKitConnectionUpdate(state: .reconnecting, attempt: 1, reason: "lost\u{1B}[2J", transport: .http3)),
        .text(turnID: "t", appended: "."),
        .turn(ResolveKitFinishedTurn(turnID: "t", status: .failed, text: "Let me see.", reason: "gone")),
      ]) == """
        Let me see
        [get_local_time runs]
        [get_local_time is done]
        [reconnecting · HTTP/3 · attempt 1 · lost[2J]
        .
        [the turn failed: gone]

        """)
  }

  @Test(arguments: [
    (Duration.microseconds(1249), "[active · HTTP/3 · round trip 1.2 ms]\n"),
    (.milliseconds(80), "[active · HTTP/3 · round trip 80.0 ms]\n"),
    (nil, "[active · HTTP/3]\n"),
  ])
  func statusTellsStateTransportAndRoundTrip(roundTrip: Duration?, line: String) {
    let connection = ResolveKitConnectionUpdate(state: .active, transport: .http1)
    let info = ConnectionInfo(transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .zero)
    // The snapshot's transport is the newer one.
    #expect(TerminalRenderer.status(connection, ConnectionSnapshot(connection: info, roundTrip: roundTrip)) == line)
    #expect(TerminalRenderer.status(connection, nil) == "[active · HTTP/1.1]\n")
  }
}
