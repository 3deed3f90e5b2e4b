import EventLedger
import HTTPTypes

/// The used part of a limit on requests, as a client sees it.
struct RateAnswer: Equatable, Sendable {
  let limit: Int
  /// Requests in this window, the present one among them.
  let count: Int
  let end: WallTime

  /// The fields for how many are left. Throws ``APIFault`` with 429 where there are too many.
  func check(at now: WallTime) throws(APIFault) -> HTTPFields {
    var fields = HTTPFields()
    fields[named: "x-ratelimit-limit"] = String(limit)
    fields[named: "x-ratelimit-remaining"] = String(max(0, limit - count))
    guard count > limit else { return fields }
    // Rounded up: a client that waits so long is admitted.
    let wait = (now.duration(to: end) + .milliseconds(999)).components.seconds
    fields[.retryAfter] = String(max(1, wait))
    fields[named: "x-ratelimit-reset"] = String((end + .milliseconds(999)).seconds)
    throw APIFault.tooManyAttempts(fields)
  }
}

extension HTTPFields {
  /// A field by its name in small letters, which is a token.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}
