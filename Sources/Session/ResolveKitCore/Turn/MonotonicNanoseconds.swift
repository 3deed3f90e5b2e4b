/// A reading of CLOCK_MONOTONIC in nanoseconds, taken by the shell: the machine itself never looks at a clock.
package typealias MonotonicNanoseconds = UInt64

extension MonotonicNanoseconds {
  /// A later reading; saturates instead of trapping.
  package func advanced(bySeconds seconds: Int) -> MonotonicNanoseconds {
    let (span, spanOverflows) = MonotonicNanoseconds(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return spanOverflows ? .max : advanced(byNanoseconds: span)
  }

  package func advanced(byNanoseconds span: UInt64) -> MonotonicNanoseconds {
    let (sum, overflows) = addingReportingOverflow(span)
    return overflows ? .max : sum
  }
}
