import StreamTransport
import ToolSupport

/// The time of an arrival.
struct ArrivalTime: Sendable {
  var sinceRequest: Duration
  /// `CLOCK_MONOTONIC`, which other programs on this machine can compare with.
  var monotonicNanoseconds: UInt64

  init(sinceRequest: Duration, monotonicNanoseconds: UInt64 = TransportClock.monotonicNanoseconds()) {
    self.sinceRequest = sinceRequest
    self.monotonicNanoseconds = monotonicNanoseconds
  }

  /// The beginning of a line about what arrived.
  func line(_ kind: String) -> JSONLine {
    var line = JSONLine()
    line.add("kind", kind)
    line.add("at_ms", sinceRequest.inMilliseconds)
    line.add("at_ns", monotonicNanoseconds)
    return line
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
