import Synchronization

/// A possible change in a ledger.
package enum LedgerChange: Equatable, Sendable {
  /// A stream now ends with the event of this number.
  case appended(stream: String, last: Int64)
  /// The events of a stream up to this number were dropped.
  case trimmed(stream: String, floor: Int64)
  /// A stream was deleted.
  case deleted(stream: String)
  /// Rows that somebody waits for were changed; see ``RowAccess/signal(_:)``.
  case signalled(topic: String)
  /// Changes may have gone unnoticed: anything may have changed.
  case missed
}

/// Carries the changes of a ledger, as far as its conformer hears of them, to the listeners in this process.
///
/// News is a hint and carries no events. It may come twice, late or not at all; ``LedgerFeed`` asks the ledger as well.
package final class LedgerNews: Sendable {
  private struct State {
    var count = 0
    var listeners: [Int: @Sendable (LedgerChange) -> Void] = [:]
  }

  /// Hears news until it is gone.
  package final class Subscription: Sendable {
    private let news: LedgerNews
    private let number: Int

    fileprivate init(_ news: LedgerNews, number: Int) {
      self.news = news
      self.number = number
    }

    deinit {
      // Let go of behind the lock: it may be the last to hold another subscription.
      let listener = news.state.withLock { $0.listeners.removeValue(forKey: number) }
      withExtendedLifetime(listener) {}
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// Calls `listener` with every change from now on, on the thread that reports it: a listener does not block.
  package func subscribe(_ listener: @escaping @Sendable (LedgerChange) -> Void) -> Subscription {
    let number = state.withLock { state in
      state.count += 1
      state.listeners[state.count] = listener
      return state.count
    }
    return Subscription(self, number: number)
  }

  /// To be called once the ledger holds the change, never before.
  package func post(_ change: LedgerChange) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener(change) }
  }
}
