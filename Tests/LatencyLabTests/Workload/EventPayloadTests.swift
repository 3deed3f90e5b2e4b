import EventStream
import Testing

@testable import latency_lab

struct EventPayloadTests {
  @Test(
    arguments: [
      (OriginPayload(sequence: 0, scheduled: 0, written: 0), nil),
      (OriginPayload(sequence: 123, scheduled: 1_234_567_890_123_456, written: 1_234_567_890_223_456), nil),
      (OriginPayload(sequence: .max, scheduled: .max, written: .max), "tool"),
    ] as [(OriginPayload, String?)])
  func whatIsWrittenIsReadBack(_ payload: OriginPayload, _ type: String?) throws {
    let block = payload.block(type: type, bytes: 0)
    var parser = EventStreamParser()
    let items = try parser.parse(block)
    guard case .event(let event)? = items.first, items.count == 1 else {
      Issue.record("no event in \(String(decoding: block, as: UTF8.self))")
      return
    }
    #expect(event.type == type ?? "message")
    #expect(event.lastEventID == "\(payload.sequence)")
    #expect(OriginPayload(event.data) == payload)
  }

  @Test func eventsArePaddedToTheirSizeOrAsLargeAsTheyMustBe() {
    let payload = OriginPayload(sequence: 7, scheduled: 5, written: 6)
    let bare = payload.block(type: nil, bytes: 0)
    #expect(String(decoding: bare, as: UTF8.self) == "id: 7\ndata: {\"n\":7,\"t\":5,\"w\":6,\"p\":\"\"}\n\n")
    for bytes in [85, 500, 65_536] { #expect(payload.block(type: nil, bytes: bytes).count == bytes) }
    #expect(payload.block(type: nil, bytes: bare.count - 1) == bare)
    #expect(
      OriginPayload(String(decoding: payload.block(type: nil, bytes: 85).dropFirst(12).dropLast(2), as: UTF8.self))
        == payload)
  }

  @Test(arguments: [
    "", "{}", "{\"n\":1}", "{\"n\":-1,\"t\":1,\"w\":1,\"p\":\"\"}", "{\"n\":1,\"t\":1,\"w\":1,\"p\":\"",
    "{\"n\":,\"t\":1,\"w\":1,\"p\":\"\"}", "{\"n\":99999999999999999999,\"t\":1,\"w\":1,\"p\":\"\"}",
    "{\"t\":1,\"n\":1,\"w\":1,\"p\":\"\"}", "{\"n\":1,\"t\":1,\"w\":1,\"p\":\"\"} ",
  ])
  func rubbishIsNone(_ text: String) {
    #expect(OriginPayload(text) == nil)
  }
}
