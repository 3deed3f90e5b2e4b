/// Counts the datagrams of one connection and their bytes.
struct TrafficCounters {
  /// Datagrams that one connection takes, some 1.5 TB: a peer that skips as many packet numbers as it can fails an
  /// assertion of the library's (1.11: lib/ngtcp2_pkt.c:2189) after 2^31.
  static let mostDatagrams: UInt64 = 1 << 30

  private(set) var datagramsSent: UInt64 = 0
  private(set) var datagramsReceived: UInt64 = 0
  private(set) var bytesSent: UInt64 = 0
  private(set) var bytesReceived: UInt64 = 0

  /// Whether the connection has carried as many packets as it may.
  var isExhausted: Bool { datagramsReceived >= Self.mostDatagrams }

  mutating func didReceive(byteCount: Int) {
    datagramsReceived += 1
    bytesReceived += UInt64(byteCount)
  }

  mutating func didSend(datagramCount: Int, byteCount: Int) {
    datagramsSent += UInt64(datagramCount)
    bytesSent += UInt64(byteCount)
  }
}
