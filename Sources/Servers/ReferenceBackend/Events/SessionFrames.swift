package import EventLedger
import Synchronization

/// The sessions' logs as event streams carry them: an event's payload is its frame. The feed reads here, so that an event
/// is read and put into words once for all who wait for it.
package final class SessionFrames: FeedSource {
  private struct State {
    var positions = LogPositions()
    var subscription: LedgerNews.Subscription?
  }

  private let ledger: any EventLedger
  private let log: SessionLog
  private let style: EventIDStyle
  private let state = Mutex(State())

  package init(_ ledger: any EventLedger, log: SessionLog, style: EventIDStyle) {
    self.ledger = ledger
    self.log = log
    self.style = style
    // What was read ahead is not to outlive what it was read from.
    let subscription = ledger.news.subscribe { [weak self] change in
      switch change {
      case .deleted(let stream), .trimmed(let stream, _):
        guard let sessionID = SessionLog.sessionID(of: stream) else { return }
        self?.state.withLock { $0.positions.removeAll(of: sessionID) }
      case .appended, .signalled, .missed: break
      }
    }
    state.withLock { $0.subscription = subscription }
  }

  package var news: LedgerNews { ledger.news }

  package func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    guard let sessionID = SessionLog.sessionID(of: stream) else {
      throw LedgerError(.unknownStream, "'\(stream)' is no session's stream.")
    }
    let cursor = EventID(cursor)
    let known = state.withLock { $0.positions.take(sessionID, after: cursor) }
    let page = try await log.page(of: sessionID, from: known ?? LogPosition(after: cursor), limit: limit)
    state.withLock { $0.positions.keep(page.position, of: sessionID) }
    return page.events.map { event in
      // Under which lease it was said is of no interest to a client.
      LedgerEvent(sequence: event.id.number, fence: 0, time: event.time, type: event.type, payload: event.frame(style))
    }
  }

  /// Forgets what was read ahead: the database is another one.
  func forget() { state.withLock { $0.positions = LogPositions() } }

  /// A session whose stream is yet to be made has an empty one.
  package func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    let extents = try await ledger.extents(of: streams)
    return streams.reduce(into: extents) { $0[$1] = $0[$1] ?? LedgerExtent(floor: 0, last: 0) }
  }
}
