import EventStream

/// Measures the time from the last byte of a stream that ended to the first byte of the next.
struct StreamGap {
  private let metrics: EventSourceMetrics
  private var lastByte: Duration?
  /// The end of the stream of ``lastByte``; nil while it continues.
  private var end: EventSourceMetrics.Outcome?

  init(_ metrics: EventSourceMetrics) {
    self.metrics = metrics
  }

  mutating func received(at now: Duration) {
    if let end, let lastByte { metrics.gapEnded(after: now - lastByte, end) }
    lastByte = now
    end = nil
  }

  /// A stream ended, or an attempt to open one; another attempt follows.
  mutating func disconnected(_ streamEnd: StreamEnd) {
    let outcome = EventSourceMetrics.Outcome(streamEnd)
    metrics.reconnects(after: outcome)
    switch outcome {
    // Of several ends in one gap the first is what opened it.
    case .ended, .lost: end = end ?? outcome
    case .refused: break
    }
  }
}
