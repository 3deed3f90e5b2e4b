import NIOCore

extension Duration {
  /// The time of an event loop, since its clock's beginning.
  init(_ deadline: NIODeadline) { self = .nanoseconds(Int64(clamping: deadline.uptimeNanoseconds)) }
}

extension NIODeadline {
  /// Rounded up: a timer that fires too soon would be armed again at once. A time beyond the clock's range is its end.
  init(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    let (whole, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let part = UInt64(clamping: (attoseconds + 999_999_999) / 1_000_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(part)
    self = .uptimeNanoseconds(overflow || overflowsToo ? UInt64(Int64.max) : min(sum, UInt64(Int64.max)))
  }
}
