import Foundation
import HTTP3Engine
import Testing

/// A trace's records, read as any reader of JSON-SEQ would.
struct ReadTrace {
  struct Event {
    var time: Double
    var name: String
    var data: [String: Any]

    var header: [String: Any] { data["header"] as? [String: Any] ?? [:] }
    var kind: String { header["packet_type"] as? String ?? "" }
    var number: Int { header["packet_number"] as? Int ?? -1 }
    var datagram: Int { data["datagram_id"] as? Int ?? -1 }
    var frames: [[String: Any]] { data["frames"] as? [[String: Any]] ?? [] }
    /// Kind and number, which name a packet of one side.
    var packet: String { "\(kind) \(number)" }

    /// The same frames in the same words.
    func hasFrames(of other: Event) -> Bool { NSArray(array: frames).isEqual(to: other.frames) }
  }

  var header: [String: Any] = [:]
  var events: [Event] = []

  /// Every record begins with RS, ends in LF, and is one JSON text between them (RFC 7464 § 2.2).
  init(_ bytes: [UInt8]) throws {
    var records: [[String: Any]] = []
    for record in bytes.split(separator: 0x1e, omittingEmptySubsequences: false).dropFirst() {
      #expect(record.last == 0x0a)
      #expect(record.count { $0 < 0x20 } == 1)
      records.append(try #require(try JSONSerialization.jsonObject(with: Data(record)) as? [String: Any]))
    }
    #expect(bytes.first == 0x1e)
    header = try #require(records.first)
    for record in records.dropFirst() {
      events.append(
        Event(
          time: try #require(record["time"] as? Double), name: try #require(record["name"] as? String),
          data: try #require(record["data"] as? [String: Any])))
    }
  }

  subscript(_ name: String) -> [Event] { events.filter { $0.name == name } }
}
