/// Nanoseconds of the caller's clock, which every stage counts in.
enum LinkTime {
  static let perMillisecond = 1e6
  static let perSecond = 1e9
  /// Clocks are held within this, 73 years from their zero, so that no sum of times overflows.
  static let limit = Int64.max / 4

  /// Milliseconds that validation has limited.
  static func nanoseconds(_ milliseconds: Double) -> Int64 { nearest(milliseconds * perMillisecond) }

  /// The nearest whole number of one that fits. `rounded()` would call the C library's mathematics, which a program that
  /// imports no C library is not linked with.
  static func nearest(_ value: Double) -> Int64 { Int64(value < 0 ? value - 0.5 : value + 0.5) }

  static func held(_ time: Int64) -> Int64 { min(max(time, -limit), limit) }
}
