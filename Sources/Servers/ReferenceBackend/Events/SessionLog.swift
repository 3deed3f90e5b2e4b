package import EventLedger

/// The ordered, durable record of what was said in every session: what a client gets is read from here and from nowhere
/// else, so that replay and live delivery cannot differ. Each session is a stream of the ledger.
package final class SessionLog: Sendable {
  private let ledger: any EventLedger
  private let queue: AppendQueue
  private let watch: HistoryWatch?

  /// The events of one append to the ledger, as a model may make any number of calls.
  private static let batch = 500
  static let prefix = "session/"

  /// A failure that passes is waited for longer than a server's restart takes.
  ///
  /// - Parameter watch: tells the history in which events are said; nil for a database that is never restored.
  package init(_ ledger: any EventLedger, watch: HistoryWatch? = nil) {
    self.ledger = ledger
    self.watch = watch
    queue = AppendQueue(ledger, limits: AppendLimits(attempts: 40, longestPause: .seconds(1)))
  }

  package static func stream(of sessionID: String) -> String { prefix + sessionID }

  /// nil for a stream that is no session's.
  package static func sessionID(of stream: String) -> String? {
    stream.hasPrefix(prefix) ? String(stream.dropFirst(prefix.count)) : nil
  }

  /// Appends in order, under a lease on the session's stream. When this returns, the events survive a crash.
  ///
  /// - Parameter key: what was appended under this key before is not appended again.
  /// - Returns: the last event's id; nil for no events.
  package func append(
    _ entries: [EventEntry], turnID: String, requestID: String, base: EventID, under lease: LedgerLease, key: String
  ) async throws -> EventID? {
    var last: EventID?
    let history = history
    for start in stride(from: 0, to: entries.count, by: Self.batch) {
      let drafts = entries[start..<min(start + Self.batch, entries.count)].map { entry in
        LedgerDraft(
          type: entry.type,
          payload: LedgerRecord(
            turnID: turnID, requestID: requestID, base: base, history: history, body: entry.body
          ).bytes)
      }
      let receipt = try await queue.append(drafts, under: lease, key: "\(key).\(start)")
      last = EventID(receipt.sequences.upperBound)
    }
    return last
  }

  /// The events of a session that come next, oldest first: at most `limit`, and no more than a page holds. Throws
  /// ``LedgerError``: `trimmed` and `cursorAhead` where the position is not in what is kept.
  package func page(of sessionID: String, from position: LogPosition, limit: Int) async throws -> LogPage {
    var page = LogPage(position)
    var events = position.ahead
    if events.isEmpty {
      do {
        events = try await ledger.events(of: Self.stream(of: sessionID), after: position.cursor.number, limit: limit)[
          ...]
      } catch let error as LedgerError where error.code == .unknownStream {
        // Its first turn makes the stream.
        guard position.cursor == .beginning else { throw LedgerError(.cursorAhead(last: 0), error.message) }
      }
    }
    while page.events.count < limit, !page.isFull, let event = events.popFirst() {
      page.append(try await stored(event, of: sessionID, &page.position.spoken))
    }
    page.position.ahead = events
    return page
  }

  /// At most `limit` events of a session strictly after `cursor`, oldest first; where those are gone, the ones that are left.
  package func events(of sessionID: String, after cursor: EventID, limit: Int) async throws -> [StoredEvent] {
    var events: [StoredEvent] = []
    var position = LogPosition(after: max(cursor, try await extent(of: sessionID).floor))
    while events.count < limit {
      let page = try await page(of: sessionID, from: position, limit: limit - events.count)
      if page.events.isEmpty { break }
      events += page.events
      position = page.position
    }
    return events
  }

  private func next(of sessionID: String, after cursor: EventID, limit: Int) async throws -> [LedgerEvent] {
    let stream = Self.stream(of: sessionID)
    do {
      return try await ledger.events(of: stream, after: cursor.number, limit: limit)
    } catch let error as LedgerError {
      switch error.code {
      case .trimmed(let floor): return try await ledger.events(of: stream, after: floor, limit: limit)
      case .unknownStream, .deletedStream, .cursorAhead: return []
      case .fenced, .leased, .keyReused, .invalid, .exhausted, .unavailable, .database: throw error
      }
    }
  }

  /// - Parameter spoken: the text so far of the turn that was met last, kept from event to event.
  private func stored(
    _ event: LedgerEvent, of sessionID: String, _ spoken: inout SpokenText?
  ) async throws -> StoredEvent {
    guard let record = LedgerRecord(event.payload) else {
      throw LedgerError(
        .database, "Event \(event.sequence) of session \(sessionID) is none of this program's; was the ledger changed?")
    }
    var payload = record.body
    if event.type == EventPayload.deltaType {
      var text =
        spoken?.turnID == record.turnID ? spoken?.text ?? "" : try await self.text(record, before: event, sessionID)
      text += record.body
      spoken = SpokenText(turnID: record.turnID, text: text)
      payload = EventPayload.assistantTextDelta(delta: record.body, accumulated: text).jsonText
    }
    return StoredEvent(
      id: EventID(event.sequence), sessionID: sessionID, turnID: record.turnID, requestID: record.requestID,
      time: event.time, type: event.type, payloadText: payload, history: record.history)
  }

  /// The text of a turn before one of its events.
  private func text(_ record: LedgerRecord, before event: LedgerEvent, _ sessionID: String) async throws -> String {
    var text = ""
    var cursor = record.base
    while cursor.number < event.sequence - 1 {
      let events = try await next(of: sessionID, after: cursor, limit: Self.batch)
      guard let last = events.last else { break }
      for earlier in events where earlier.sequence < event.sequence && earlier.type == EventPayload.deltaType {
        if let other = LedgerRecord(earlier.payload), other.turnID == record.turnID { text += other.body }
      }
      cursor = EventID(last.sequence)
    }
    return text
  }

  private var history: LogHistory { watch?.current ?? .first }

  /// Whether a cursor's event is this log's, and not one of the same number that was said after the backup from which the
  /// database was restored. Of the last event that was dropped it is not known; it is taken for this log's where its history
  /// is the current one.
  ///
  /// - Parameter cursor: within the session's extent.
  package func has(_ cursor: HistoryCursor, of sessionID: String) async throws -> Bool {
    if cursor.id == .beginning || (cursor.history == .first && history == .first) { return true }
    do {
      let event = try await ledger.events(
        of: Self.stream(of: sessionID), after: cursor.id.number - 1, limit: 1
      ).first
      return event.flatMap { LedgerRecord($0.payload) }?.history == cursor.history
    } catch let error as LedgerError {
      guard case .trimmed = error.code else { throw error }
      return cursor.history == history
    }
  }

  /// The events that are kept of a session.
  package func extent(of sessionID: String) async throws -> EventExtent {
    let stream = Self.stream(of: sessionID)
    let extent = try await ledger.extents(of: [stream])[stream]
    return EventExtent(floor: EventID(extent?.floor ?? 0), last: EventID(extent?.last ?? 0))
  }

  /// The last event of a turn, nil if it has none. Only people's events come behind it, so it is near the end.
  ///
  /// - Parameter base: the last event of the session before the turn's first.
  package func lastEvent(ofTurn turnID: String, in sessionID: String, after base: EventID) async throws -> StoredEvent?
  {
    let extent = try await extent(of: sessionID)
    let floor = max(base.number, extent.floor.number)
    var end = extent.last.number
    var step: Int64 = 8
    while end > floor {
      let start = max(floor, end - step)
      var found: LedgerEvent?
      var cursor = start
      while cursor < end {
        let events = try await next(of: sessionID, after: EventID(cursor), limit: Int(end - cursor))
        guard let last = events.last else { break }
        found = events.last { LedgerRecord($0.payload)?.turnID == turnID } ?? found
        cursor = last.sequence
      }
      if let found {
        var spoken: SpokenText?
        return try await stored(found, of: sessionID, &spoken)
      }
      end = start
      step = min(step * 4, Int64(Self.batch))
    }
    return nil
  }

  /// Drops the turns of a session whose last event is older than `time`, except a running one; returns how many events
  /// went.
  ///
  /// - Parameter running: the turn of the session that runs.
  package func prune(_ sessionID: String, before time: WallTime, keeping running: String?) async throws -> Int {
    let extent = try await extent(of: sessionID)
    var cut = TurnBoundary(running: running)
    var cursor = extent.floor
    var isOld = true
    while isOld, cursor < extent.last {
      let events = try await next(of: sessionID, after: cursor, limit: Self.batch)
      guard let last = events.last else { break }
      for event in events where isOld {
        guard let record = LedgerRecord(event.payload) else { return 0 }
        isOld = event.time < time
        cut.visit(EventID(event.sequence), turnID: record.turnID, type: event.type, isOld: isOld)
      }
      cursor = EventID(last.sequence)
    }
    if isOld { cut.finish() }
    guard let end = cut.end, end > extent.floor else { return 0 }
    try await ledger.trim(Self.stream(of: sessionID), through: end.number)
    return Int(clamping: end.number - extent.floor.number)
  }

  /// Drops all events of a session permanently.
  package func delete(_ sessionID: String) async throws {
    do { try await ledger.delete(Self.stream(of: sessionID)) } catch let error as LedgerError {
      // It never said anything, or the answer of an earlier attempt was lost.
      guard error.code == .unknownStream || error.code == .deletedStream else { throw error }
    }
  }

  /// Frees the room of what was dropped, a little at a time: what turns append waits for none of it long.
  func sweep() async throws {
    while try await ledger.sweep(limit: Self.batch) > 0 {}
  }
}
