import Synchronization

/// Notifies event streams that there is more in the log. It carries no events: streams read those from the log, so a
/// wake-up more or less changes nothing that a client sees.
package final class EventFeed: Sendable {
  private struct State {
    var subscriptions: [String: [ObjectIdentifier: EventSubscription]] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: most streams per session.
  package init(limit: Int = 64) {
    self.limit = limit
  }

  /// Subscribes a stream; nil when the session has too many. Cancel the subscription when the stream ends.
  package func subscribe(to sessionID: String) -> EventSubscription? {
    let subscription = EventSubscription(feed: self, sessionID: sessionID)
    let isClosed: Bool? = state.withLock { state in
      guard state.subscriptions[sessionID, default: [:]].count < limit else { return nil }
      state.subscriptions[sessionID, default: [:]][ObjectIdentifier(subscription)] = subscription
      return state.isClosed
    }
    guard let isClosed else { return nil }
    if isClosed { subscription.end() }
    return subscription
  }

  /// To be called once the log holds the events up to `last`, never before.
  package func announce(_ sessionID: String, upTo last: EventID) {
    let subscriptions = state.withLock { $0.subscriptions[sessionID].map { Array($0.values) } ?? [] }
    for subscription in subscriptions { subscription.advance(to: last) }
  }

  /// Ends all streams, those to come too.
  package func close() {
    let subscriptions = state.withLock { state in
      state.isClosed = true
      return state.subscriptions.values.flatMap(\.values)
    }
    for subscription in subscriptions { subscription.end() }
  }

  /// The sessions that have streams.
  var sessionIDs: [String] { state.withLock { Array($0.subscriptions.keys) } }

  package var streamCount: Int { state.withLock { $0.subscriptions.values.reduce(0) { $0 + $1.count } } }

  func remove(_ subscription: EventSubscription, of sessionID: String) {
    state.withLock { state in
      state.subscriptions[sessionID]?[ObjectIdentifier(subscription)] = nil
      if state.subscriptions[sessionID]?.isEmpty == true { state.subscriptions[sessionID] = nil }
    }
  }
}
