import LinkModel

/// Whole IP packets with right checksums, and a check of them that shares no code with the model.
struct PacketBuilder {
  enum Network: CaseIterable { case ipv4, ipv4WithOptions, ipv6, ipv6WithExtensions }
  enum Transport: CaseIterable { case udp, tcp }

  var network = Network.ipv4
  var transport = Transport.udp
  var isToServer = true
  var clientHost: UInt8 = 100
  var clientPort: UInt16 = 50_000
  var serverPort: UInt16 = 443
  var payload: [UInt8] = [1, 2, 3, 4]

  var isIPv6: Bool { network == .ipv6 || network == .ipv6WithExtensions }

  var packet: LinkPacket { LinkPacket(bytes: bytes) }

  var bytes: [UInt8] {
    var segment = isToServer ? word(clientPort) + word(serverPort) : word(serverPort) + word(clientPort)
    switch transport {
    case .udp: segment += word(UInt16(8 + payload.count)) + [0, 0]
    case .tcp: segment += [0, 0, 0, 1, 0, 0, 0, 2, 0x60, 0x18, 0xFF, 0xFF, 0, 0, 0, 0, 1, 1, 1, 0]
    }
    segment += payload
    let client = address(subnet: 0, host: clientHost)
    let server = address(subnet: 1, host: 100)
    let (source, destination) = isToServer ? (client, server) : (server, client)
    let number: UInt8 = transport == .udp ? 17 : 6
    let checksumOffset = transport == .udp ? 6 : 16
    let sum = Self.checksum(source + destination + [0, number] + word(UInt16(segment.count)) + segment)
    segment.replaceSubrange(
      checksumOffset..<checksumOffset + 2, with: word(sum == 0 && transport == .udp ? 0xFFFF : sum))
    return header(number, source, destination, length: segment.count) + segment
  }

  private func header(_ number: UInt8, _ source: [UInt8], _ destination: [UInt8], length: Int) -> [UInt8] {
    switch network {
    case .ipv4, .ipv4WithOptions:
      let options: [UInt8] = network == .ipv4WithOptions ? [7, 7, 4, 0, 0, 0, 0, 0] : []
      let total = 20 + options.count + length
      var header: [UInt8] =
        [UInt8(0x45 + options.count / 4), 0] + word(UInt16(total)) + [0x12, 0x34, 0x40, 0, 64, number]
      header += [0, 0] + source + destination + options
      header.replaceSubrange(10..<12, with: word(Self.checksum(header)))
      return header
    case .ipv6:
      return [0x60, 0, 0, 0] + word(UInt16(length)) + [number, 64] + source + destination
    case .ipv6WithExtensions:
      // Hop-by-hop options of 8 bytes, destination options of 16, a first fragment's header.
      let extensions: [UInt8] =
        [60, 0, 1, 4, 0, 0, 0, 0] + [44, 1, 1, 12] + [UInt8](repeating: 0, count: 12) + [number, 0, 0, 1, 0, 0, 0, 9]
      return [0x60, 0, 0, 0] + word(UInt16(extensions.count + length)) + [0, 64] + source + destination + extensions
    }
  }

  private func address(subnet: UInt8, host: UInt8) -> [UInt8] {
    isIPv6
      ? [0x20, 0x01, 0x0D, 0xB8, 0, 0x18, 0, subnet, 0, 0, 0, 0, 0, 0, 0, host] : [198, 18, subnet, host]
  }

  private func word(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

  /// RFC 1071.
  static func checksum(_ bytes: [UInt8]) -> UInt16 {
    var sum = 0
    for (index, byte) in bytes.enumerated() { sum += index % 2 == 0 ? Int(byte) << 8 : Int(byte) }
    while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
    return ~UInt16(sum)
  }

  /// The offset of the transport header in a packet of this builder's shape.
  var transportOffset: Int {
    switch network {
    case .ipv4: 20
    case .ipv4WithOptions: 28
    case .ipv6: 40
    case .ipv6WithExtensions: 72
    }
  }

  /// Whether every checksum of a packet of this builder's shape is right, computed from all bytes.
  func hasRightChecksums(_ bytes: [UInt8]) -> Bool {
    if !isIPv6, Self.checksum(Array(bytes[..<transportOffset])) != 0 { return false }
    let addresses = isIPv6 ? bytes[8..<40] : bytes[12..<20]
    let segment = bytes[transportOffset...]
    let number: UInt8 = transport == .udp ? 17 : 6
    return Self.checksum(addresses + [0, number] + word(UInt16(segment.count)) + segment) == 0
  }

  /// Source or destination port of a packet of this builder's shape.
  func port(_ bytes: [UInt8], isSource: Bool) -> UInt16 {
    let offset = transportOffset + (isSource ? 0 : 2)
    return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }

  /// The last byte of the source or destination address.
  func host(_ bytes: [UInt8], isSource: Bool) -> UInt8 {
    isIPv6 ? bytes[isSource ? 23 : 39] : bytes[isSource ? 15 : 19]
  }
}
