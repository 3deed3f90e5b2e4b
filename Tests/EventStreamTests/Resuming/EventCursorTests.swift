import EventStream
import Testing

@Suite("Event cursor")
struct EventCursorTests {
  @Test func theStartSendsNothing() {
    let cursor = EventCursor(sentAs: .queryAndLastEventID(name: "cursor"))
    #expect(cursor.isAtStart)
    #expect(cursor.queryItem == nil)
    #expect(cursor.lastEventIDField == nil)
    #expect(cursor.applied(toPath: "/events") == "/events")
  }

  @Test func theCarrierDecidesWhatIsSent() {
    #expect(EventCursor(id: "9-0", sentAs: .lastEventID).lastEventIDField == "9-0")
    #expect(EventCursor(id: "9-0", sentAs: .lastEventID).queryItem == nil)
    #expect(EventCursor(id: "9-0", sentAs: .query(name: "cursor")).lastEventIDField == nil)
    #expect(EventCursor(id: "9-0", sentAs: .query(name: "cursor")).queryItem == "cursor=9-0")
    let both = EventCursor(id: "9-0", sentAs: .queryAndLastEventID(name: "cursor"))
    #expect(both.queryItem == "cursor=9-0")
    #expect(both.lastEventIDField == "9-0")
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a&b=c#d?e/f", "a%26b%3Dc%23d%3Fe%2Ff"), ("é", "%C3%A9"),
    ("100%", "100%25"), ("-._~Az09", "-._~Az09"), ("\u{0}\n", "%00%0A"),
  ])
  func idsAreEncodedByteByByte(id: String, encoded: String) {
    #expect(EventCursor(id: id, sentAs: .query(name: "c")).queryItem == "c=\(encoded)")
  }

  @Test(arguments: [
    ("/e", "/e?cursor=2"), ("/e?", "/e?cursor=2"), ("/e?a=1", "/e?a=1&cursor=2"),
    ("/e?cursor=1", "/e?cursor=2"), ("/e?a=1&cursor=1&b=?", "/e?a=1&b=?&cursor=2"),
    ("/e?cursors=1", "/e?cursors=1&cursor=2"), ("/e?cursor", "/e?cursor=2"),
  ])
  func theQueryItemReplacesOlderOnes(path: String, expected: String) {
    #expect(EventCursor(id: "2", sentAs: .query(name: "cursor")).applied(toPath: path) == expected)
  }

  @Test func aPathIsLeftAloneWithoutAQueryName() {
    #expect(EventCursor(id: "2", sentAs: .lastEventID).applied(toPath: "/e?cursor=1") == "/e?cursor=1")
  }

  @Test func aFieldNeverCarriesALineEnd() {
    #expect(EventCursor(id: "1\r\nx: y", sentAs: .lastEventID).lastEventIDField == nil)
    #expect(EventCursor(id: "é", sentAs: .lastEventID).lastEventIDField == "é")
  }

  @Test func itMovesAndGoesBack() {
    var cursor = EventCursor(sentAs: .lastEventID)
    cursor.advance(to: "10-0")
    #expect(cursor.id == "10-0")
    cursor.advance(to: "9-0")
    #expect(cursor.id == "9-0", "ids have no order")
    cursor.reset()
    #expect(cursor.isAtStart)
  }

  @Test func equalityIsOfBytes() {
    let composed = EventCursor(id: "\u{E9}", sentAs: .lastEventID)
    #expect(composed != EventCursor(id: "e\u{301}", sentAs: .lastEventID))
    #expect(composed == EventCursor(id: "\u{E9}", sentAs: .lastEventID))
  }
}
