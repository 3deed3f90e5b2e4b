import Dispatch

extension Duration {
  /// Whole nanoseconds, within what an Int64 holds.
  var nanosecondsClamped: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }

  var dispatchInterval: DispatchTimeInterval { .nanoseconds(Int(clamping: nanosecondsClamped)) }
}
