import HTTP3Engine

extension HTTP3ClientConnection {
  func snapshot() -> ConnectionSnapshot? {
    guard let info else { return nil }
    let statistics = engine.statistics
    traffic.count(statistics)
    var snapshot = ConnectionSnapshot(connection: info, roundTrip: statistics.smoothedRoundTrip)
    snapshot.minimumRoundTrip = statistics.minimumRoundTrip
    snapshot.congestionWindow = statistics.congestionWindow
    snapshot.packetsSent = statistics.datagramsSent
    snapshot.packetsReceived = statistics.datagramsReceived
    snapshot.bytesSent = statistics.bytesSent
    snapshot.bytesReceived = statistics.bytesReceived
    snapshot.localAddress = engine.currentPath?.local.description
    snapshot.migrations = migration.count
    return snapshot
  }

  /// Counts the connection as opened: it was chosen among those to all addresses.
  func countOpened() {
    guard let info, failure == nil else { return }
    isCounted = true
    traffic.metrics.connectionOpened(info)
  }

  /// Counts what the connection has sent and received, also where it was never established.
  func recordEnd(_ reason: TransportError) {
    traffic.count(engine.statistics)
    if isCounted { traffic.metrics.connectionClosed(reason) }
  }
}
