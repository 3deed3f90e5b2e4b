import Synchronization

/// One event stream's ear on the feed; one task waits on it.
package final class EventSubscription: Sendable {
  /// Why a wait ended.
  package enum Wake: Equatable, Sendable {
    case events
    case keepAliveDue
    case ended
  }

  fileprivate struct State {
    var last = EventID.beginning
    var isKeepAliveDue = false
    var isEnded = false
    var waiter: (cursor: EventID, continuation: CheckedContinuation<Wake, Never>)?
  }

  private let state = Mutex(State())
  private let feed: EventFeed
  private let sessionID: String

  init(feed: EventFeed, sessionID: String) {
    self.feed = feed
    self.sessionID = sessionID
  }

  /// Waits until there are events after `cursor`, a keep-alive is due, or the stream is to end. An announcement made
  /// since the last wait is never missed: it is kept as a number and compared here.
  package func next(after cursor: EventID) async -> Wake {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let wake = state.withLock { state -> Wake? in
          state.waiter = (cursor, continuation)
          return state.takeWake()
        }
        if let wake { continuation.resume(returning: wake) }
      }
    } onCancel: {
      end()
    }
  }

  func advance(to last: EventID) {
    wake { $0.last = max($0.last, last) }
  }

  package func keepAlive() {
    wake { $0.isKeepAliveDue = true }
  }

  package func end() {
    wake { $0.isEnded = true }
  }

  package func cancel() {
    feed.remove(self, of: sessionID)
    end()
  }

  private func wake(_ change: (inout sending State) -> Void) {
    let resumption = state.withLock { state -> (CheckedContinuation<Wake, Never>, Wake)? in
      change(&state)
      guard let continuation = state.waiter?.continuation, let wake = state.takeWake() else { return nil }
      return (continuation, wake)
    }
    if let (continuation, wake) = resumption { continuation.resume(returning: wake) }
  }
}

extension EventSubscription.State {
  /// The reason to wake the waiter, if there is one; it is a waiter no more then.
  fileprivate mutating func takeWake() -> EventSubscription.Wake? {
    guard let waiter else { return nil }
    let wake: EventSubscription.Wake
    if isEnded {
      wake = .ended
    } else if last > waiter.cursor {
      wake = .events
    } else if isKeepAliveDue {
      isKeepAliveDue = false
      wake = .keepAliveDue
    } else {
      return nil
    }
    self.waiter = nil
    return wake
  }
}
