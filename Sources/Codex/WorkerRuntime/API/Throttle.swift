import EventLedger
import HTTPTypes
import Synchronization

/// Admits so many requests of each user in a minute; the minute begins with the first.
final class Throttle: Sendable {
  private struct Window {
    var count: Int
    var end: WallTime
  }

  /// Users that are counted at one time. Those whose minute is over are forgotten first.
  private static let userLimit = 10_000

  private let limit: Int
  private let now: @Sendable () -> WallTime
  private let windows = Mutex<[String: Window]>([:])

  init(limit: Int = 60, now: @escaping @Sendable () -> WallTime) {
    self.limit = limit
    self.now = now
  }

  /// Counts a request, and returns the fields that tell how many are left. Throws ``APIFault`` with 429.
  func admit(_ user: String) throws(APIFault) -> HTTPFields {
    let now = now()
    let window = windows.withLock { windows in
      if windows.count >= Self.userLimit { windows = windows.filter { $0.value.end > now } }
      var window = windows[user] ?? Window(count: 0, end: now)
      if window.end <= now { window = Window(count: 0, end: now + .seconds(60)) }
      window.count = min(window.count + 1, limit + 1)
      windows[user] = window
      return window
    }
    var fields = HTTPFields()
    fields[named: "x-ratelimit-limit"] = String(limit)
    fields[named: "x-ratelimit-remaining"] = String(max(0, limit - window.count))
    guard window.count <= limit else {
      // Rounded up: a client that waits so long is admitted.
      let wait = (now.duration(to: window.end) + .milliseconds(999)).components.seconds
      fields[.retryAfter] = String(max(1, wait))
      fields[named: "x-ratelimit-reset"] = String((window.end + .milliseconds(999)).seconds)
      throw APIFault.tooManyAttempts(fields)
    }
    return fields
  }
}

extension HTTPFields {
  /// A field by its name in small letters, which is a token.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}
