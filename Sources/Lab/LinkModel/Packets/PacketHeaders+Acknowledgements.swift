extension PacketHeaders {
  /// Whether a packet carries nothing but an acknowledgement, as far as that can be seen from outside.
  ///
  /// Of QUIC only the size can be seen, and whether the header is a short one (RFC 9000 § 17.3): a handshake's packets
  /// have long ones.
  func isAcknowledgementAlone(_ packet: LinkPacket, maximumQUICBytes: Int) -> Bool {
    switch transport {
    case .tcp:
      let flagsOffset = transportOffset + 13
      guard payload.isEmpty, packet.bytes.indices.contains(flagsOffset) else { return false }
      // ACK without RST, SYN and FIN (RFC 9293 § 3.1).
      return packet.bytes[flagsOffset] & 0b1_0111 == 0b1_0000
    case .udp:
      guard packet.size <= maximumQUICBytes, !payload.isEmpty, packet.bytes.indices.contains(payload.lowerBound) else {
        return false
      }
      return packet.bytes[payload.lowerBound] & 0x80 == 0
    case .other:
      return false
    }
  }
}
