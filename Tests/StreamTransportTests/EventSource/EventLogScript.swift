import EventStream
import HTTPTypes
import StreamTransport
import TestSupport

/// A server's log of events, served as a stream from a cursor.
struct EventLogScript: Sendable {
  let events: [ServerSentEvent]

  /// Events with text of several bytes a character, empty data and several lines.
  init(count: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = ["a", "é", "→", "😀", "\n", " ", ":", "data:", ""]
    events = (1...count).map { number in
      let data = (0..<Int.random(in: 0...12, using: &generator)).map { _ in words.randomElement(using: &generator) ?? ""
      }
      return ServerSentEvent(
        type: number % 3 == 0 ? "delta" : "message", data: data.joined(), lastEventID: "\(number)-0é")
    }
  }

  /// The stream after the event with this id; all of it for an empty one.
  func bytes(after id: String) -> [UInt8] {
    let start = events.firstIndex { $0.lastEventID == id }.map { $0 + 1 } ?? 0
    var bytes = Array(": hello\n\n".utf8)
    for event in events[start...] {
      bytes += Array("id: \(event.lastEventID)\nevent: \(event.type)\n".utf8)
      for line in event.data.split(separator: "\n", omittingEmptySubsequences: false) {
        bytes += Array("data: \(line)\n".utf8)
      }
      bytes += [0x0A]
    }
    return bytes
  }

  static let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream; charset=utf-8"])
}
