import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// The `date` field that an origin server with a clock sends (RFC 9110 § 6.6.1), made once a second.
final class HTTPDate: Sendable {
  private let last = Mutex<(second: Int, text: String)>((0, HTTPDate.text(second: 0)))

  var now: String {
    let second = time(nil)
    return last.withLock { last in
      if last.second != second { last = (second, Self.text(second: second)) }
      return last.text
    }
  }

  /// The IMF-fixdate of RFC 9110 § 5.6.7, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(second: Int) -> String {
    var seconds = time_t(second)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return text(second: 0) }
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = days[Int(parts.tm_wday) % days.count]
    let month = months[Int(parts.tm_mon) % months.count]
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    return "\(day), \(two(parts.tm_mday)) \(month) \(1900 + Int(parts.tm_year)) \(clock) GMT"
  }
}
