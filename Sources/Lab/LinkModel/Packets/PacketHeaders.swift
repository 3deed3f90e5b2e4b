/// The offsets of a packet's parts. Any bytes may be read; what cannot be is `unreadable`, never a trap.
package struct PacketHeaders: Hashable, Sendable {
  package enum Network: Hashable, Sendable {
    case ipv4, ipv6
    /// A bare UDP payload, or bytes that are no IP packet.
    case absent
  }

  package var network: Network
  package var transport: PacketLogEntry.TransportProtocol
  /// Whether the headers are whole and agree with each other.
  package var isReadable = true
  /// The offset of the UDP or TCP header; 0 without one.
  package var transportOffset = 0
  /// The payload of UDP or TCP, as far as it is present.
  package var payload: Range<Int> = 0..<0

  static let unreadable = PacketHeaders(network: .absent, transport: .other, isReadable: false)

  package init(of packet: LinkPacket) {
    switch packet.framing {
    case .udpPayload:
      self.init(network: .absent, transport: .udp)
      payload = 0..<packet.bytes.count
    case .ip:
      self = packet.bytes.withUnsafeBufferPointer { Self.read($0) }
    }
  }

  private init(network: Network, transport: PacketLogEntry.TransportProtocol, isReadable: Bool = true) {
    self.network = network
    self.transport = transport
    self.isReadable = isReadable
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> PacketHeaders {
    guard let first = bytes.first else { return unreadable }
    switch first >> 4 {
    case 4: return readIPv4(bytes)
    case 6: return readIPv6(bytes)
    case _: return unreadable
    }
  }

  /// RFC 791 § 3.1.
  private static func readIPv4(_ bytes: UnsafeBufferPointer<UInt8>) -> PacketHeaders {
    guard bytes.count >= 20 else { return unreadable }
    let headerLength = Int(bytes[0] & 0x0F) * 4
    let end = word(bytes, 2)
    guard headerLength >= 20, headerLength <= end, end <= bytes.count else { return unreadable }
    // Only the first fragment has ports.
    guard word(bytes, 6) & 0x1FFF == 0 else { return PacketHeaders(network: .ipv4, transport: .other) }
    return readTransport(bytes, .ipv4, number: bytes[9], at: headerLength, end: end)
  }

  /// RFC 8200 § 3 and 4.
  private static func readIPv6(_ bytes: UnsafeBufferPointer<UInt8>) -> PacketHeaders {
    guard bytes.count >= 40 else { return unreadable }
    let end = 40 + word(bytes, 4)
    guard end <= bytes.count else { return unreadable }
    var next = bytes[6]
    var offset = 40
    while true {
      switch next {
      case 0, 43, 60, 135, 139, 140:  // Hop-by-hop, routing, destination options, mobility, HIP, Shim6.
        guard offset + 8 <= end else { return unreadable }
        next = bytes[offset]
        offset += (Int(bytes[offset + 1]) + 1) * 8
      case 44:
        guard offset + 8 <= end else { return unreadable }
        guard word(bytes, offset + 2) & 0xFFF8 == 0 else { return PacketHeaders(network: .ipv6, transport: .other) }
        next = bytes[offset]
        offset += 8
      case 51:  // The authentication header counts words of 4 bytes, less 2 (RFC 4302 § 2.2).
        guard offset + 8 <= end else { return unreadable }
        next = bytes[offset]
        offset += (Int(bytes[offset + 1]) + 2) * 4
      case _:
        return readTransport(bytes, .ipv6, number: next, at: offset, end: end)
      }
    }
  }

  private static func readTransport(
    _ bytes: UnsafeBufferPointer<UInt8>, _ network: Network, number: UInt8, at offset: Int, end: Int
  ) -> PacketHeaders {
    var headers = PacketHeaders(network: network, transport: .other)
    switch number {
    case 17:
      guard offset + 8 <= end else { return unreadable }
      let length = word(bytes, offset + 4)
      guard length >= 8 else { return unreadable }
      headers.transport = .udp
      // A first fragment's datagram is longer than what is here.
      headers.payload = offset + 8..<Swift.min(end, offset + length)
    case 6:
      guard offset + 20 <= end else { return unreadable }
      let headerLength = Int(bytes[offset + 12] >> 4) * 4
      guard headerLength >= 20, offset + headerLength <= end else { return unreadable }
      headers.transport = .tcp
      headers.payload = offset + headerLength..<end
    case _:
      return headers
    }
    headers.transportOffset = offset
    return headers
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }
}
