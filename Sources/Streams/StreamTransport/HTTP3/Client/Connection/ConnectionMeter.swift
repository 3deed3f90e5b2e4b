import HTTP3Engine
import Metrics

/// Counts one connection: that it was opened and closed, and what it sent and received.
struct ConnectionMeter {
  private let metrics: ProtocolMetrics
  private var counted: ConnectionStatistics?
  /// A connection that was never chosen among those to all addresses counts as neither opened nor closed.
  private var isOpen = false

  init(_ metrics: ProtocolMetrics) {
    self.metrics = metrics
  }

  mutating func opened(_ info: ConnectionInfo) {
    isOpen = true
    metrics.connectionOpened(info)
  }

  mutating func closed(_ reason: TransportError) {
    guard isOpen else { return }
    isOpen = false
    metrics.connectionClosed(reason)
  }

  /// Adds packets and bytes to the counters, each time what is new.
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
    metrics.earlyContentBytes.increment(by: new(\.earlyContentCount))
    counted = statistics
  }
}
