/// Limits of every link, whatever its conditions.
package enum LinkLimits {
  /// Packets on the link at once, both ways together.
  package static let packetsInFlight = 100_000
  package static let bytesInFlight = 256 << 20
  /// The largest IP packet without a jumbo payload: an IPv6 header and 65 535 bytes.
  package static let maximumPacketBytes = 65_575
  /// A QUIC packet as an IP packet, from one with 1 byte in it to the largest.
  package static let quicBytes = LinkPacket.udpHeaderBytes + 1...maximumPacketBytes
}
