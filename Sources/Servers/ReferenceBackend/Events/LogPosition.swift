import EventLedger

/// The position of a reader in a session's log.
package struct LogPosition: Equatable, Sendable {
  /// The last event read.
  package var cursor: EventID
  /// The text so far of the turn being read: its next delta needs it, and the log would have to sum it up again.
  var spoken: SpokenText?
  /// The events behind the cursor that were read already.
  var ahead: ArraySlice<LedgerEvent> = []

  package init(after cursor: EventID) {
    self.cursor = cursor
  }

  /// The bytes that it takes, about.
  var bytes: Int { 200 + (spoken?.text.utf8.count ?? 0) + ahead.reduce(0) { $0 + $1.payload.count } }
}

/// A turn's text up to some event.
struct SpokenText: Equatable, Sendable {
  var turnID: String
  var text: String
}

/// Some events of a session in a row, and where they end.
package struct LogPage: Equatable, Sendable {
  package private(set) var events: [StoredEvent] = []
  package var position: LogPosition
  private var bytes = 0

  /// A page ends with the event that makes it so long: each delta carries the whole text before it, so a count alone
  /// would let one slow reader hold hundreds of times a long answer.
  package static let byteLimit = 256 << 10

  init(_ position: LogPosition) {
    self.position = position
  }

  var isFull: Bool { bytes >= Self.byteLimit }

  mutating func append(_ event: StoredEvent) {
    events.append(event)
    bytes += event.payloadText.utf8.count
    position.cursor = event.id
  }
}
