/// A packet as it enters a link.
package struct LinkPacket: Hashable, Sendable {
  package enum Framing: Hashable, Sendable {
    /// A whole IPv4 or IPv6 packet.
    case ip
    /// The payload of a UDP datagram, as an engine without sockets hands it out.
    case udpPayload
  }

  /// The size of the IPv4 and UDP headers of a bare payload.
  package static let udpHeaderBytes = 28

  package var bytes: [UInt8]
  package var framing: Framing
  /// For a bare payload toward the client: the NAT's binding to which it is sent (`Delivery.rebinding` of a packet
  /// from there); nil for whichever is current.
  package var binding: Int?

  package init(bytes: [UInt8], framing: Framing = .ip, binding: Int? = nil) {
    self.bytes = bytes
    self.framing = framing
    self.binding = binding
  }

  /// Bytes of the whole IP packet.
  package var size: Int {
    switch framing {
    case .ip: bytes.count
    case .udpPayload: bytes.count + Self.udpHeaderBytes
    }
  }
}
