/// What congestion control let a server have in flight during one run: its connections, each by time.
package struct SenderTrace: Hashable, Sendable {
  package struct Sample: Hashable, Sendable {
    /// Nanoseconds on the link's clock.
    package var time: Int64
    package var windowBytes: Double
    package var inFlightBytes: Double

    package init(time: Int64, windowBytes: Double, inFlightBytes: Double) {
      self.time = time
      self.windowBytes = windowBytes
      self.inFlightBytes = inFlightBytes
    }
  }

  package var connections: [[Sample]]
  /// Whether a connection is TCP's, which counts segments, however small: its bytes are those of full ones.
  package var countsSegments: Bool

  package init(connections: [[Sample]] = [], countsSegments: Bool = false) {
    self.connections = connections
    self.countsSegments = countsSegments
  }
}
