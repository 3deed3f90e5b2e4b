import EventStream
import Testing

/// A stream and what it says, by one rule of HTML § 9.2.6.
struct StreamExample: Sendable, CustomTestStringConvertible {
  var rule: String
  var bytes: [UInt8]
  var items: [EventStreamItem]
  /// The id that a reconnect sends afterwards.
  var lastEventID: String

  init(_ rule: String, _ stream: String, _ items: [EventStreamItem], lastEventID: String = "") {
    self.init(rule, bytes: Array(stream.utf8), items, lastEventID: lastEventID)
  }

  init(_ rule: String, bytes: [UInt8], _ items: [EventStreamItem], lastEventID: String = "") {
    self.rule = rule
    self.bytes = bytes
    self.items = items
    self.lastEventID = lastEventID
  }

  var testDescription: String { rule }
}

extension EventStreamItem {
  /// An event, written short.
  static func event(
    _ data: String, type: String = "message", id: String = "", isInherited: Bool = false
  ) -> EventStreamItem {
    .event(ServerSentEvent(type: type, data: data, lastEventID: id, hasOwnID: isInherited ? false : nil))
  }
}
