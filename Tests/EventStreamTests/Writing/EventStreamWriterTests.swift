import EventStream
import Testing

@Suite("Event-stream writer")
struct EventStreamWriterTests {
  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  @Test func blocksAreWrittenInOneOrder() {
    let block = EventStreamWriter.encode("{}", id: "9-0", type: "turn_complete", retryMilliseconds: 1500)
    #expect(Self.text(block) == "retry: 1500\nid: 9-0\nevent: turn_complete\ndata: {}\n\n")
  }

  @Test func whatIsNotGivenIsNotWritten() {
    #expect(Self.text(EventStreamWriter.encode("a")) == "data: a\n\n")
    #expect(Self.text(EventStreamWriter.encode("a", type: "message")) == "data: a\n\n")
    #expect(Self.text(EventStreamWriter.encode(nil, id: "1")) == "id: 1\n\n")
    #expect(Self.text(EventStreamWriter.encode("", id: "")) == "id:\ndata:\n\n")
    #expect(Self.text(EventStreamWriter.encode(bytes: [0x7B, 0x7D])) == "data: {}\n\n")
  }

  @Test func commentsAreReadAsComments() throws {
    #expect(Self.text(EventStreamWriter.comment("keep-alive")) == ": keep-alive\n\n")
    var parser = EventStreamParser()
    #expect(try parser.parse(EventStreamWriter.comment("a\nb\r\nc\rd")) == ["a", "b", "c", "d"].map { .comment($0) })
    #expect(try parser.parse(EventStreamWriter.comment()) == [.comment("")])
  }

  @Test func noValueSmugglesInAField() throws {
    var parser = EventStreamParser()
    let block = EventStreamWriter.encode("x\ndata: y", id: "1\r\ndata: a\u{0}", type: "t\nid: 2")
    #expect(try parser.parse(block) == [.event("x\ndata: y", type: "tid: 2", id: "1data: a")])
  }

  @Test(arguments: [
    "", " ", "  a", "\n", "\n\n", "a\n", "\na", "a\n\nb", ": a", "data: a", "\u{FEFF}", "\u{301}", "日本\t",
  ])
  func anyDataComesBack(_ data: String) throws {
    for id in ["", " 1", "é"] {
      var parser = EventStreamParser()
      let event = ServerSentEvent(type: "t", data: data, lastEventID: id)
      #expect(try parser.parse(EventStreamWriter.encode(event)) == [.event(event)])
    }
  }

  @Test func everyLineEndComesBackAsLineFeed() throws {
    var parser = EventStreamParser()
    #expect(try parser.parse(EventStreamWriter.encode("a\rb\r\nc\nd\r")) == [.event("a\nb\nc\nd\n")])
  }
}
