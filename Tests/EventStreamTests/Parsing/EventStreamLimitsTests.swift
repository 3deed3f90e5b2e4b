import EventStream
import Testing

@Suite("Event-stream limits")
struct EventStreamLimitsTests {
  /// A stream within a limit, and one that is a byte past it.
  struct Case: Sendable, CustomTestStringConvertible {
    var code: EventStreamError.Code
    var limits: EventStreamLimits
    var within: String
    var past: String

    var testDescription: String { code.rawValue }
  }

  @Test(arguments: [
    Case(code: .lineTooLong, limits: .init(line: 8), within: "data: ab\n", past: "data: abc\n"),
    Case(code: .eventTooLarge, limits: .init(event: 4), within: "data:a\ndata:b\n", past: "data:a\ndata:b\ndata\n"),
    Case(code: .idTooLong, limits: .init(id: 2), within: "id: 12\n", past: "id: 123\n"),
    Case(code: .typeTooLong, limits: .init(type: 2), within: "event: ab\n", past: "event: abc\n"),
    Case(code: .commentTooLong, limits: .init(comment: 3), within: ":abc\n", past: ":abcd\n"),
    Case(
      code: .bufferFull, limits: .init(buffered: 12), within: "id:12\ndata:a\ndata:bcd\n",
      past: "id:12\ndata:a\ndata:bcde\n"),
  ])
  func aLimitHoldsToTheByteForEveryChunking(_ test: Case) throws {
    let lead = Array("data: x\n\n".utf8)
    let within = lead + Array(test.within.utf8)
    let past = lead + Array(test.past.utf8)
    for cuts in Chunking.all(within.count) {
      var parser = EventStreamParser(limits: test.limits)
      #expect(throws: Never.self, "cut at \(cuts)") {
        try Chunking.items(within, cutAt: cuts, parser: &parser)
      }
    }
    for cuts in Chunking.all(past.count) {
      var parser = EventStreamParser(limits: test.limits)
      let error = #expect(throws: EventStreamError.self, "cut at \(cuts)") {
        try Chunking.items(past, cutAt: cuts, parser: &parser)
      }
      #expect(error?.code == test.code, "cut at \(cuts)")
      #expect(parser.failure == error)
    }
  }

  @Test func theErrorIsFinalAndItemsBeforeItComeOut() throws {
    var parser = EventStreamParser(limits: .init(line: 10))
    let items = try parser.parse(Array("id: 1\n\ndata: a\n\nid: 2\ndata: x\ndata: far too long\n\n".utf8))
    #expect(items == [.idCommitted("1"), .event("a", id: "1")])
    #expect(parser.lastEventID == "1")
    #expect(parser.failure == EventStreamError(code: .lineTooLong, limit: 10))
    #expect(parser.bufferedBytes == 0)
    #expect(throws: EventStreamError.self) { try parser.parse(Array("data: b\n\n".utf8)) }
    parser.restart()
    #expect(try parser.parse(Array("data: b\n\n".utf8)) == [.event("b", id: "1", isInherited: true)])
  }

  @Test func aHundredMegabyteLineIsRefusedWithinTheLimit() throws {
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
    var parser = EventStreamParser()
    _ = try parser.parse(Array("data: ".utf8))
    var fed = 0
    let error = #expect(throws: EventStreamError.self) {
      while fed < 100_000_000 {
        _ = try parser.parse(chunk)
        fed += chunk.count
        #expect(parser.bufferedBytes <= parser.limits.line)
      }
    }
    #expect(error?.code == .lineTooLong)
    #expect(fed <= parser.limits.line)
  }

  @Test func emptyDataLinesAreNotFree() throws {
    var parser = EventStreamParser(limits: .init(event: 1000))
    let lines = Array(String(repeating: "data\n", count: 1001).utf8)
    let error = #expect(throws: EventStreamError.self) { try parser.parse(lines) }
    #expect(error == EventStreamError(code: .eventTooLarge, limit: 1000))
  }

  @Test func aLongLineInSmallChunksIsRead() throws {
    let text = String(repeating: "0123456789abcdef", count: 7_000_000 / 16)
    let bytes = Array("data: \(text)\n\n".utf8)
    var parser = EventStreamParser()
    var items: [EventStreamItem] = []
    try Chunking.items(bytes, cutAt: Array(stride(from: 1200, to: bytes.count, by: 1200)), parser: &parser)
      .forEach { items.append($0) }
    #expect(items == [.event(text)])
  }

  @Test func theSentenceNamesTheRemedy() {
    let error = EventStreamError(code: .lineTooLong, limit: 8)
    #expect("\(error)".contains("8 bytes"))
    #expect("\(error)".contains("EventStreamLimits.line"))
  }

  @Test func aRetryIsShortenedToItsLimit() throws {
    var parser = EventStreamParser(limits: .init(retryMilliseconds: 5000))
    #expect(
      try parser.parse(Array("retry: 5001\nretry: 4999\n".utf8)) == [
        .retry(milliseconds: 5000), .retry(milliseconds: 4999),
      ])
  }
}
