import StreamTransport

/// The time of an arrival.
struct Arrival: Sendable {
  var sinceRequest: Duration
  /// `CLOCK_MONOTONIC`, which other programs on this machine can compare with.
  var monotonicNanoseconds: UInt64

  init(sinceRequest: Duration, monotonicNanoseconds: UInt64 = TransportClock.monotonicNanoseconds()) {
    self.sinceRequest = sinceRequest
    self.monotonicNanoseconds = monotonicNanoseconds
  }
}

extension Duration {
  /// To a microsecond.
  var inMilliseconds: Double {
    let (seconds, attoseconds) = components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    return microseconds.rounded() / 1e3
  }
}
