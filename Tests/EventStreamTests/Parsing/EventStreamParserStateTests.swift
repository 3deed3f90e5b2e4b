import EventStream
import Testing

@Suite("Event-stream parser: state")
struct EventStreamParserStateTests {
  @Test func anEventIsDispatchedAtItsCarriageReturn() throws {
    var parser = EventStreamParser()
    #expect(try parser.parse(Array("data: a\r\n\r".utf8)) == [.event("a")])
    #expect(try parser.parse(Array("\ndata: b\n\n".utf8)) == [.event("b")])
  }

  @Test func anEmptyChunkKeepsTheLineFeedIgnored() throws {
    var parser = EventStreamParser()
    #expect(try parser.parse(Array("data: a\r".utf8)) == [])
    #expect(try parser.parse([]) == [])
    #expect(try parser.parse(Array("\n".utf8)) == [])
    #expect(try parser.parse(Array("\n".utf8)) == [.event("a")])
  }

  @Test func aRestartDropsTheUnfinishedBlockAndKeepsTheID() throws {
    var parser = EventStreamParser()
    _ = try parser.parse(Array("id: 1\ndata: a\n\nid: 2\nevent: t\ndata: b\ndat".utf8))
    parser.restart()
    #expect(parser.lastEventID == "1")
    #expect(parser.bufferedBytes == 0)
    #expect(try parser.parse(Array("\u{FEFF}data: c\n\n".utf8)) == [.event("c", id: "1", isInherited: true)])
  }

  @Test func anIDGivenAtTheBeginningIsInForce() throws {
    var parser = EventStreamParser(lastEventID: "9-0")
    #expect(try parser.parse(Array("data: a\n\n".utf8)) == [.event("a", id: "9-0", isInherited: true)])
  }

  @Test func everyWayToFeedSaysTheSame() throws {
    let bytes = Array("id: 1\ndata: a\n\n: b\n".utf8)
    var first = EventStreamParser()
    var second = EventStreamParser()
    var items: [EventStreamItem] = []
    try bytes.withUnsafeBytes { buffer in try first.parse(buffer) { items.append($0) } }
    #expect(try second.parse(bytes) == items)
    #expect(items == [.event("a", id: "1"), .comment("b")])
  }

  @Test func equalityIsOfBytes() {
    #expect(EventStreamItem.event("\u{E9}") != .event("e\u{301}"))
    #expect(EventStreamItem.comment("\u{E9}") != .comment("e\u{301}"))
    #expect(EventStreamItem.event("a", id: "\u{E9}") == .event("a", id: "\u{E9}"))
  }
}
