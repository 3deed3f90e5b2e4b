import Glibc

/// The time of day as the companion's records have it.
package enum TimeOfDay {
  /// Milliseconds since 1970.
  package static func now() -> Int {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int(time.tv_sec) &* 1_000 &+ Int(time.tv_nsec) / 1_000_000
  }

  /// `duration` after `time`, both kept within what a record may hold.
  static func moment(_ duration: Duration, after time: Int) -> Int {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return time }
    return time &+ Int(milliseconds.partialValue) &+ Int(attoseconds / 1_000_000_000_000_000)
  }
}
