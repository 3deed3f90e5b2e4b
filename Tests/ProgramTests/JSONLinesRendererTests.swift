import ResolveKitTerminal
import ResolveKitUI
import StreamTransport
import Testing

@testable import chat

struct JSONLinesRendererTests {
  @Test(arguments: [
    (
      ResolveKitRuntimeUpdate.connection(ResolveKitConnectionUpdate(state: .registering)),
      #"{"kind":"connection","state":"registering","attempt":0,"reason":null,"transport":null}"#
    ),
    (
      .connection(
        ResolveKitConnectionUpdate(state: .reconnecting, attempt: 2, reason: "lost \"it\"", transport: .http3)),
      #"{"kind":"connection","state":"reconnecting","attempt":2,"reason":"lost \"it\"","transport":"h3"}"#
    ),
    (
      .session(id: "s1", transport: .http1),
      #"{"kind":"session","schema":1,"session_id":"s1","transport":"h1"}"#
    ),
    (
      .event(
        ResolveKitAppliedEvent(
          eventID: "5-0", type: "turn_complete", turnID: "t", arrivedAt: 18_446_744_073_709_551_615,
          payload: ["full_text": "a\nb"])),
      #"{"kind":"event","event_id":"5-0","type":"turn_complete","turn_id":"t","at_ns":18446744073709551615,"payload":{"full_text":"a\nb"}}"#
    ),
    (
      .event(
        ResolveKitAppliedEvent(
          eventID: "6", type: "tool_call_request", turnID: "t", arrivedAt: 1,
          payload: ["call_id": "c", "arguments": ["n": 9_007_199_254_740_992]],
          argumentsText: "{\"n\": 9007199254740993,\n\"s\":\"\u{9B}\"}")),
      #"{"kind":"event","event_id":"6","type":"tool_call_request","turn_id":"t","at_ns":1,"payload":{"arguments":{"n":9007199254740993,"s":"\u009b"},"call_id":"c"},"arguments_text":"{\"n\": 9007199254740993,\n\"s\":\"\u009b\"}"}"#
    ),
    (
      .event(
        ResolveKitAppliedEvent(
          eventID: "7", type: "tool_call_request", turnID: "t", arrivedAt: 1, payload: ["call_id": "c"],
          argumentsText: #"{"a":1,"a":2}"#)),
      #"{"kind":"event","event_id":"7","type":"tool_call_request","turn_id":"t","at_ns":1,"payload":{"call_id":"c"},"arguments_text":"{\"a\":1,\"a\":2}"}"#
    ),
    (
      .delivery(requestID: "r", text: "hi", .held),
      #"{"kind":"message","request_id":"r","delivery":"held","text":"hi"}"#
    ),
    (
      .tool(callID: "c", name: "list_files", status: .pendingApproval),
      #"{"kind":"tool","call_id":"c","name":"list_files","status":"pendingApproval"}"#
    ),
    (
      .tool(callID: "c", name: "list_files", status: .failed("no such folder")),
      #"{"kind":"tool","call_id":"c","name":"list_files","status":"failed","reason":"no such folder"}"#
    ),
    (
      .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "hé\u{1B}")),
      #"{"kind":"turn","turn_id":"t","status":"complete","text":"hé\u001b"}"#
    ),
    (
      .turn(ResolveKitFinishedTurn(turnID: nil, status: .failed, text: "", reason: "refused")),
      #"{"kind":"turn","turn_id":null,"status":"failed","text":"","reason":"refused"}"#
    ),
  ])
  func eachKindIsOneLine(update: ResolveKitRuntimeUpdate, line: String) {
    var renderer = JSONLinesRenderer()
    #expect(renderer.render(update) == [.answer(line + "\n")])
  }

  @Test func nothingButJSONGoesToStandardOutput() {
    var renderer = JSONLinesRenderer()
    #expect(renderer.render(.text(turnID: "t", appended: "x")) == [])
    #expect(
      renderer.render(.skippedEvent(id: "7\n", reason: "bad")) == [
        .status("chat: event 7  was passed over: bad\n")
      ])
  }
}
