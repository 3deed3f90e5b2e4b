import EventLedger
import HTTPTypes
import Synchronization

/// Admits so many requests of each user in a minute, counted by all runtimes of a ledger together.
///
/// Each request that is admitted is an event in a stream of the user's, so that no more are stored than are admitted, and
/// one for each runtime that learns that the minute is full.
final class UserThrottle: Sendable {
  /// Users whose streams are remembered at one time; all of it is in the ledger.
  private static let userLimit = 10_000

  private struct Counter {
    let stream: SharedStream<RateWindow>
    /// The window as it was seen last.
    var window = RateWindow()
  }

  private let limit: Int
  private let storage: Storage
  private let now: @Sendable () -> WallTime
  private let counters = Mutex<[String: Counter]>([:])

  init(limit: Int, storage: Storage, now: @escaping @Sendable () -> WallTime) {
    self.limit = limit
    self.storage = storage
    self.now = now
  }

  /// Counts a request, and returns the fields for how many are left. Throws ``APIFault`` with 429, and `LedgerError`.
  func admit(_ user: String) async throws -> HTTPFields {
    let now = now()
    let counter = counter(of: user)
    // A minute that is full stays so to its end: a flood costs the ledger nothing.
    if counter.window.count > limit, counter.window.end > now { return try answer(counter.window).check(at: now) }
    let change = try await counter.stream.change { _ in [RateWindow.draft] }
    let window = change.value
    counters.withLock { counters in
      guard let known = counters[user]?.window, (known.end, known.count) < (window.end, window.count) else { return }
      counters[user]?.window = window
    }
    if window.first > 1, window.first == change.event?.sequence {
      try await storage.ledger.trim(counter.stream.name, through: window.first - 1)
    }
    return try answer(window).check(at: now)
  }

  private func answer(_ window: RateWindow) -> RateAnswer {
    RateAnswer(limit: limit, count: window.count, end: window.end)
  }

  private func counter(of user: String) -> Counter {
    counters.withLock { counters in
      if let counter = counters[user] { return counter }
      if counters.count >= Self.userLimit { counters = [:] }
      let counter = Counter(stream: SharedStream(StreamNames.requests(of: user), storage))
      counters[user] = counter
      return counter
    }
  }
}
