/// The time in which CONNECTION_CLOSE answers the peer's stray packets, ever more rarely, so that two closing ends do not
/// keep each other busy (RFC 9000 § 10.2.1).
struct ClosingPeriod {
  let path: NetworkPath
  let end: Timestamp
  private let packet: [UInt8]
  private var isPacketDue = true
  private var receivedCount = 0

  /// Begins with the packet due.
  init(packet: [UInt8], path: NetworkPath, end: Timestamp) {
    self.packet = packet
    self.path = path
    self.end = end
  }

  /// Notes a stray packet: the first, second, fourth, eighth is answered.
  mutating func didReceive() {
    receivedCount += 1
    if receivedCount & (receivedCount - 1) == 0 { isPacketDue = true }
  }

  /// Takes the CONNECTION_CLOSE packet if it is due.
  mutating func takePacket() -> [UInt8]? {
    guard isPacketDue else { return nil }
    isPacketDue = false
    return packet
  }
}
