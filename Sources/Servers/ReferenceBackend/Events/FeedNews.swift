import EventLedger

/// Wakes event streams by the ledger's news, and by polling it where there may be none.
final class FeedNews: Sendable {
  private let subscription: LedgerNews.Subscription
  private let polling: Task<Void, Never>?

  /// The longest time for which another process's events may go unnoticed.
  private static let interval = Duration.seconds(1)

  /// - Parameter isShared: whether other processes append too.
  init(_ ledger: any EventLedger, feed: EventFeed, isShared: Bool) {
    subscription = ledger.news.subscribe { change in
      switch change {
      case .appended(let stream, let last):
        if let session = SessionLog.sessionID(of: stream) { feed.announce(session, upTo: EventID(last)) }
      case .missed, .trimmed, .deleted, .signalled: break
      }
    }
    guard isShared else {
      polling = nil
      return
    }
    polling = Task {
      while !Task.isCancelled {
        do { try await Task.sleep(for: Self.interval) } catch { return }
        let streams = feed.sessionIDs.map(SessionLog.stream)
        guard !streams.isEmpty, let extents = try? await ledger.extents(of: streams) else { continue }
        for (stream, extent) in extents {
          if let session = SessionLog.sessionID(of: stream) { feed.announce(session, upTo: EventID(extent.last)) }
        }
      }
    }
  }

  deinit { polling?.cancel() }
}
