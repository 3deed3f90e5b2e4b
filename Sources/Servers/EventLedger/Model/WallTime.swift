import Glibc

/// A moment in microseconds since 1970-01-01T00:00:00Z.
package struct WallTime: Hashable, Comparable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The system's clock now.
  package static var current: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  /// Whole seconds since 1970, as JWT's NumericDate has them (RFC 7519 § 2).
  package var seconds: Int64 { microseconds / 1_000_000 }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.microseconds < right.microseconds }

  package static func + (time: WallTime, span: Duration) -> WallTime {
    let (seconds, attoseconds) = span.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return WallTime(microseconds: seconds < 0 ? .min : .max) }
    let (sum, tooLarge) = time.microseconds.addingReportingOverflow(whole + attoseconds / 1_000_000_000_000)
    return WallTime(microseconds: tooLarge ? (seconds < 0 ? .min : .max) : sum)
  }

  /// From here to `other`; negative where that was before.
  package func duration(to other: WallTime) -> Duration {
    let (span, overflow) = other.microseconds.subtractingReportingOverflow(microseconds)
    return .microseconds(overflow ? (other < self ? .min : .max) : span)
  }

  package static func - (time: WallTime, span: Duration) -> WallTime { time + (.zero - span) }

  /// ISO 8601 with `Z`: `2026-11-21T02:10:29.660544Z`.
  package var zulu: String { civil + "Z" }

  /// ISO 8601 with an offset: `2026-11-21T02:10:29.660544+00:00`.
  package var offset: String { civil + "+00:00" }

  private var civil: String {
    let (second, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    var seconds = time_t(second)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "1970-01-01T00:00:00.000000" }
    func pad(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(pad(1900 + Int(parts.tm_year), 4))-\(pad(parts.tm_mon + 1, 2))-\(pad(parts.tm_mday, 2))"
    let time = "\(pad(parts.tm_hour, 2)):\(pad(parts.tm_min, 2)):\(pad(parts.tm_sec, 2))"
    return "\(day)T\(time).\(pad(fraction.magnitude, 6))"
  }
}
