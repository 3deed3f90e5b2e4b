import EventLedger
import HTTPTypes
import JSONService
import Synchronization

/// Admits so many requests from each source in a minute, in this process; the minute begins with the first.
final class SourceThrottle: Sendable {
  private struct Window {
    var count: Int
    let end: WallTime
  }

  private struct State {
    var windows: [SourceAddress: Window] = [:]
    /// Until then no window ends, so that none need be looked for.
    var fullUntil = WallTime(microseconds: 0)
  }

  private let limit: Int
  /// Sources that are counted at one time; those whose minute is over are forgotten first, and what comes from others
  /// meanwhile is refused.
  private let sourceLimit: Int
  private let now: @Sendable () -> WallTime
  private let state = Mutex(State())

  init(limit: Int, sourceLimit: Int = 10_000, now: @escaping @Sendable () -> WallTime) {
    self.limit = limit
    self.sourceLimit = sourceLimit
    self.now = now
  }

  /// Counts a request. Throws ``APIFault`` with 429.
  func admit(_ source: SourceAddress) throws(APIFault) {
    let now = now()
    let answer = state.withLock { state in
      if let window = state.windows[source], window.end > now {
        let count = min(window.count + 1, limit + 1)
        state.windows[source] = Window(count: count, end: window.end)
        return RateAnswer(limit: limit, count: count, end: window.end)
      }
      if state.windows.count >= sourceLimit, state.fullUntil <= now {
        state.windows = state.windows.filter { $0.value.end > now }
        state.fullUntil = state.windows.values.map(\.end).min() ?? now
      }
      guard state.windows.count < sourceLimit else {
        return RateAnswer(limit: limit, count: limit + 1, end: state.fullUntil)
      }
      let window = Window(count: 1, end: now + .seconds(60))
      state.windows[source] = window
      return RateAnswer(limit: limit, count: 1, end: window.end)
    }
    _ = try answer.check(at: now)
  }
}
