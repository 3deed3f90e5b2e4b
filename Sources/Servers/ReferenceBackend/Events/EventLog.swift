package import EventLedger

/// The ordered, durable record of what was said in every session: what a client gets is read from here and from nowhere
/// else, so that replay and live delivery cannot differ.
package protocol EventLog: Sendable {
  /// Appends in order. When this returns, the events survive a crash; a later append gets greater ids.
  func append(_ drafts: [EventDraft]) async throws -> [StoredEvent]

  /// The events of a session that come next, oldest first: at most `limit`, and no more than a page holds.
  func page(of sessionID: String, from position: LogPosition, limit: Int) async throws -> LogPage

  /// The events that are kept of a session.
  func extent(of sessionID: String) async throws -> EventExtent

  /// The last event of a turn, nil if it has none.
  func lastEvent(ofTurn turnID: String) async throws -> StoredEvent?

  /// Drops the turns whose last event is older than `time`, except `turns`; returns how many events went.
  func prune(before time: WallTime, keepingTurns turns: Set<String>) async throws -> Int
}

extension EventLog {
  /// At most `limit` events of a session strictly after `cursor`, oldest first.
  package func events(of sessionID: String, after cursor: EventID, limit: Int) async throws -> [StoredEvent] {
    var events: [StoredEvent] = []
    var position = LogPosition(after: cursor)
    while events.count < limit {
      let page = try await page(of: sessionID, from: position, limit: limit - events.count)
      if page.events.isEmpty { break }
      events += page.events
      position = page.position
    }
    return events
  }
}

/// Which cursors of a session can be resumed from.
package struct EventExtent: Equatable, Sendable {
  /// The greatest id that was dropped: a cursor before it has lost events.
  package var floor: EventID
  /// The greatest id that the log ever gave, in any session: a cursor after it is from another log.
  package var last: EventID

  package init(floor: EventID, last: EventID) {
    self.floor = floor
    self.last = last
  }
}
