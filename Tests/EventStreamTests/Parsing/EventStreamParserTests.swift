import EventStream
import Testing

@Suite("Event-stream parser")
struct EventStreamParserTests {
  @Test(arguments: lineEnds + fields + ids + retries + oddities)
  func everyRuleHoldsForEveryChunking(_ example: StreamExample) throws {
    for cuts in Chunking.all(example.bytes.count) {
      var parser = EventStreamParser()
      let items = try Chunking.items(example.bytes, cutAt: cuts, parser: &parser)
      #expect(items == example.items, "cut at \(cuts)")
      #expect(parser.lastEventID.utf8.elementsEqual(example.lastEventID.utf8), "cut at \(cuts)")
    }
  }

  static let lineEnds: [StreamExample] = [
    .init("LF", "data: a\n\n", [.event("a")]),
    .init("CR LF", "data: a\r\n\r\n", [.event("a")]),
    .init(
      "CR LF between the lines of a block", "event: t\r\ndata: a\r\ndata: b\r\n\r\n",
      [.event("a\nb", type: "t")]),
    .init("CR", "data: a\r\r", [.event("a")]),
    .init("mixed", "data: a\ndata: b\rdata: c\r\n\ndata: d\n\r\n", [.event("a\nb\nc"), .event("d")]),
    .init("LF CR is two line ends", "data: a\n\rdata: b\n\n", [.event("a"), .event("b")]),
    .init("CR CR LF is two line ends", "data: a\r\r\ndata: b\n\n", [.event("a"), .event("b")]),
    .init(
      "NEL, VT, FF, U+2028 and U+2029 end no line", "data: a\u{85}\u{0B}\u{0C}\u{2028}\u{2029}b\n\n",
      [.event("a\u{85}\u{0B}\u{0C}\u{2028}\u{2029}b")]),
    .init("blank lines alone", "\n\n\r\n\r", []),
    .init("the end discards an unfinished block", "id: 7\ndata: a\n", []),
    .init("the end discards an unfinished line", "data: a\n\ndata: b", [.event("a")]),
  ]

  static let fields: [StreamExample] = [
    .init("data lines are joined by LF", "data: a\ndata\ndata:\ndata: b\n\n", [.event("a\n\n\nb")]),
    .init("an empty data line is an event", "data\n\n", [.event("")]),
    .init("data: alone is an event", "data:\n\n", [.event("")]),
    .init("two empty data lines are a LF", "data\ndata\n\n", [.event("\n")]),
    .init("one space goes", "data:a\ndata: b\ndata:  c\ndata:\td\n\n", [.event("a\nb\n c\n\td")]),
    .init("trailing space stays", "data: a \n\n", [.event("a ")]),
    .init("event sets the type", "event: t\ndata: a\n\ndata: b\n\n", [.event("a", type: "t"), .event("b")]),
    .init("the last type wins", "event: t\nevent: u\ndata: a\n\n", [.event("a", type: "u")]),
    .init("an empty type is the default", "event: t\nevent\ndata: a\n\n", [.event("a")]),
    .init("a block without data resets the type", "event: t\n\ndata: a\n\n", [.event("a")]),
    .init(
      "a repeated type", "event: t\ndata: a\n\nevent: t\ndata: b\n\n",
      [.event("a", type: "t"), .event("b", type: "t")]),
    .init(
      "names are compared exactly", "Data: a\n data: b\ndata : c\ndat: d\ndatas: e\ndata: f\n\n",
      [
        .unknownField(name: "Data", value: "a"), .unknownField(name: " data", value: "b"),
        .unknownField(name: "data ", value: "c"), .unknownField(name: "dat", value: "d"),
        .unknownField(name: "datas", value: "e"), .event("f"),
      ]),
    .init("a name without a colon", "x\n", [.unknownField(name: "x", value: "")]),
    .init(
      "names that begin like known ones", "eventx\nevens\nretrx\nids\ni\nd\n",
      ["eventx", "evens", "retrx", "ids", "i", "d"].map { .unknownField(name: $0, value: "") }),
    .init("comments", ": a\n:b\n:\n::c\n", [.comment("a"), .comment("b"), .comment(""), .comment(":c")]),
    .init("a comment inside a block", "data: a\n:x\ndata: b\n\n", [.comment("x"), .event("a\nb")]),
    .init("a value with colons", "data: a:b: c\n\n", [.event("a:b: c")]),
  ]

  static let ids: [StreamExample] = [
    .init("an id", "id: 1\ndata: a\n\n", [.event("a", id: "1")], lastEventID: "1"),
    .init(
      "an id is sticky", "id: 1\ndata: a\n\ndata: b\n\n",
      [.event("a", id: "1"), .event("b", id: "1", isInherited: true)],
      lastEventID: "1"),
    .init(
      "an id that came alone is the next event's", "id: 1\n\ndata: a\n\n", [.idCommitted("1"), .event("a", id: "1")],
      lastEventID: "1"),
    .init(
      "an id that is given again", "id: 1\ndata: a\n\nid: 1\ndata: b\n\n",
      [.event("a", id: "1"), .event("b", id: "1")],
      lastEventID: "1"),
    .init("an empty id clears", "id: 1\ndata: a\n\nid\ndata: b\n\n", [.event("a", id: "1"), .event("b")]),
    .init("an id alone commits", "id: 1\n\n", [.idCommitted("1")], lastEventID: "1"),
    .init(
      "an id with NUL is ignored", "id: 1\n\nid: 2\u{0}\ndata: a\n\n",
      [.idCommitted("1"), .unknownField(name: "id", value: "2\u{0}"), .event("a", id: "1")],
      lastEventID: "1"),
    .init(
      "a NUL id leaves the block's earlier id", "id: 3\nid: \u{0}\ndata: a\n\n",
      [.unknownField(name: "id", value: "\u{0}"), .event("a", id: "3")], lastEventID: "3"),
    .init("an id waits for its blank line", "id: 1\n\nid: 2\ndata: a\n", [.idCommitted("1")], lastEventID: "1"),
    .init("the last id wins", "id: 1\nid: 2\ndata: a\n\n", [.event("a", id: "2")], lastEventID: "2"),
  ]

  static let retries: [StreamExample] =
    [
      .init("digits", "retry: 1500\n", [.retry(milliseconds: 1500)]),
      .init("leading zeros", "retry:007\n", [.retry(milliseconds: 7)]),
      .init(
        "at once, without a blank line", "data: a\nretry: 1\ndata: b\n\n", [.retry(milliseconds: 1), .event("a\nb")]),
      .init(
        "too many digits are shortened", "retry: 99999999999999999999999\n",
        [.retry(milliseconds: EventStreamLimits().retryMilliseconds)]),
    ]
    + ["", "+5", "-5", "5.0", "5 ", " 5", "0x5", "５", "a"].map { value in
      .init("no number: \(value.debugDescription)", "retry: \(value)\n", [.unknownField(name: "retry", value: value)])
    }

  static let oddities: [StreamExample] = [
    .init("one byte order mark goes", "\u{FEFF}data: a\n\n", [.event("a")]),
    .init(
      "a second one is data", "\u{FEFF}\u{FEFF}data: a\n", [.unknownField(name: "\u{FEFF}data", value: "a")]),
    .init("a later one is data", "data: \u{FEFF}a\n\n", [.event("\u{FEFF}a")]),
    .init(
      "half a byte order mark is text", bytes: [0xEF, 0xBB] + Array("data\n".utf8),
      [.unknownField(name: "\u{FFFD}data", value: "")]),
    .init("a byte order mark alone", "\u{FEFF}", []),
    .init("a byte order mark before a blank line", "\u{FEFF}\ndata: a\n\n", [.event("a")]),
    .init(
      "a combining mark after the colon", "data:\u{301}a\n:\u{301}b\n\n", [.comment("\u{301}b"), .event("\u{301}a")]),
    .init("a joiner after the space", "data: \u{200D}a\n\n", [.event("\u{200D}a")]),
    .init(
      "a variation selector after the field name", "data\u{FE0F}: a\n",
      [.unknownField(name: "data\u{FE0F}", value: "a")]),
    .init(
      "forms of one character differ", "id: e\u{301}\ndata: \u{E9}\n\n", [.event("\u{E9}", id: "e\u{301}")],
      lastEventID: "e\u{301}"),
    .init(
      "invalid UTF-8 is replaced", bytes: Array("data: ".utf8) + [0xFF, 0x61, 0xC3, 0x0A, 0x0A],
      [.event("\u{FFFD}a\u{FFFD}")]),
    .init(
      "a truncated sequence ends with its line", bytes: Array("data: ".utf8) + [0xE2, 0x82, 0x0A, 0x0A],
      [.event("\u{FFFD}")]),
    .init("NUL is data", "data: a\u{0}b\n\n", [.event("a\u{0}b")]),
    .init("four-byte sequences", "data: 👍🏽日本\n\n", [.event("👍🏽日本")]),
    .init(
      "tabs and controls near line ends", "data: \t\u{1}\u{B}\u{C}\u{E}\t\t\t\t\t\n\n",
      [.event("\t\u{1}\u{B}\u{C}\u{E}\t\t\t\t\t")]),
  ]
}
