import EventStream
import LinkModel

/// An agent's token stream: blocks of id, event and data, the data 20 to 200 bytes of JSON.
struct TokenStream {
  private(set) var bytes: [UInt8] = []
  private(set) var eventCount = 0
  private(set) var dataBytes = 0
  /// Over type, data and id of every event, in order.
  private(set) var checksum = Checksum()

  /// Whole blocks, as many as `size` bytes hold.
  init(size: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    bytes.reserveCapacity(size)
    while true {
      let event = ServerSentEvent(
        type: "assistant_text_delta",
        data: Self.json(length: Int.random(in: 20...200, using: &generator), &generator),
        lastEventID: "1767225600000-\(eventCount)")
      let block = EventStreamWriter.encode(event)
      guard bytes.count + block.count <= size else { return }
      bytes.append(contentsOf: block)
      eventCount += 1
      dataBytes += event.data.utf8.count
      checksum.add(event.type)
      checksum.add(event.data)
      checksum.add(event.lastEventID)
    }
  }

  /// An object of exactly `length` bytes whose text is words, one in twenty of them not ASCII.
  private static func json(length: Int, _ generator: inout SeededGenerator) -> String {
    var json = #"{"delta":""#
    let end = #""}"#
    while true {
      let isPlain = Int.random(in: 0..<20, using: &generator) > 0
      let word = (isPlain ? plainWords : otherWords).randomElement(using: &generator) ?? ""
      guard json.utf8.count + word.utf8.count + end.utf8.count <= length else { break }
      json += word
    }
    let padding = String(repeating: ".", count: max(0, length - json.utf8.count - end.utf8.count))
    return json + padding + end
  }

  private static let plainWords = [
    "the ", "stream ", "answers ", "as ", "it ", "is ", "written, ", "\\n", "function ", "call ", "a ",
    "\\\"quoted\\\" ", "time. ", "returns ", "value ", "0.5 ",
  ]
  private static let otherWords = ["naïve ", "Größe ", "→ ", "日本 ", "👍 "]
}
