#if canImport(Glibc)
import Glibc
#endif

/// A moment in the calendar of UTC, in the texts that protocols and logs write it in.
struct UTCTime {
  private let parts: tm
  private let milliseconds: Int

  /// - Parameter time: time since 1970 (UTC).
  init(_ time: Duration) {
    var seconds = time_t(time.components.seconds)
    var parts = tm()
    if gmtime_r(&seconds, &parts) == nil {
      // Past what the calendar holds: no system's clock is.
      seconds = 0
      gmtime_r(&seconds, &parts)
    }
    self.parts = parts
    milliseconds = Int(time.components.attoseconds / 1_000_000_000_000_000)
  }

  /// The IMF-fixdate of RFC 9110 § 5.6.7, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  var fieldText: String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    return "\(days[Int(parts.tm_wday) % days.count]), \(day) \(month) \(year) \(clock) GMT"
  }

  /// The form of Apache's logs, such as `06/Nov/1994:08:49:37 +0000`.
  var commonLogText: String { "\(day)/\(month)/\(year):\(clock) +0000" }

  /// The form of RFC 3339 with milliseconds, such as `1994-11-06T08:49:37.000Z`.
  var internetText: String {
    let fraction = String(milliseconds + 1_000).dropFirst()
    return "\(year)-\(Self.two(parts.tm_mon + 1))-\(day)T\(clock).\(fraction)Z"
  }

  private var year: Int { 1900 + Int(parts.tm_year) }
  private var day: String { Self.two(parts.tm_mday) }
  private var clock: String { "\(Self.two(parts.tm_hour)):\(Self.two(parts.tm_min)):\(Self.two(parts.tm_sec))" }

  private var month: String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return months[Int(parts.tm_mon) % months.count]
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Duration {
  /// The seconds with six decimals, such as `0.000123`.
  var decimalSeconds: String {
    let (seconds, attoseconds) = components
    return "\(seconds).\(String(attoseconds / 1_000_000_000_000 + 1_000_000).dropFirst())"
  }
}
