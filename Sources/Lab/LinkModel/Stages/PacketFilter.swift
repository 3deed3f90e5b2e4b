/// Drops by what a packet is: its transport, its size, its place among the UDP packets.
struct PacketFilter: Sendable {
  private let blocksUDP: Bool
  private let maximumPacketBytes: Int
  private let droppedUDPPackets: Set<Int>
  private var udpPackets = 0

  init(_ conditions: DirectionConditions) {
    blocksUDP = conditions.blocksUDP ?? false
    maximumPacketBytes = conditions.maximumPacketBytes ?? LinkLimits.maximumPacketBytes
    droppedUDPPackets = Set(conditions.droppedUDPPackets ?? [])
  }

  /// Counts a UDP packet that entered, even if it is dropped later.
  mutating func count(_ transport: PacketLogEntry.TransportProtocol) {
    if transport == .udp { udpPackets += 1 }
  }

  /// The reason for which the packet counted last is dropped; nil if it passes.
  func cause(_ transport: PacketLogEntry.TransportProtocol, size: Int) -> PacketLogEntry.Cause? {
    if transport == .udp, blocksUDP { return .udpBlocked }
    if size > maximumPacketBytes { return .tooLarge }
    if transport == .udp, !droppedUDPPackets.isEmpty, droppedUDPPackets.contains(udpPackets) { return .dropList }
    return nil
  }
}
