import HTTP3Engine
import Metrics

/// Adds a connection's packets and bytes to the counters, each time what is new.
struct TrafficMeter {
  let metrics: ProtocolMetrics
  private var counted: ConnectionStatistics?

  init(_ metrics: ProtocolMetrics) {
    self.metrics = metrics
  }

  mutating func count(_ statistics: ConnectionStatistics) {
    func new(_ path: KeyPath<ConnectionStatistics, UInt64>) -> UInt64 {
      let before = counted?[keyPath: path] ?? 0
      let now = statistics[keyPath: path]
      return now > before ? now - before : 0
    }
    metrics.packetsSent.increment(by: new(\.datagramsSent))
    metrics.packetsReceived.increment(by: new(\.datagramsReceived))
    metrics.bytesSent.increment(by: new(\.bytesSent))
    metrics.bytesReceived.increment(by: new(\.bytesReceived))
    counted = statistics
  }
}
