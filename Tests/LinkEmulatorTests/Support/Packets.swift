/// Whole IP packets for tests.
enum Packets {
  /// IPv4 and UDP, from the client's address to the server's, with checksums that say "not computed".
  static func udp(payload: [UInt8]) -> [UInt8] {
    let length = 28 + payload.count
    var bytes: [UInt8] = [0x45, 0, UInt8(length >> 8), UInt8(length & 255), 0, 0, 0, 0, 64, 17, 0, 0]
    bytes += [198, 18, 0, 100, 198, 18, 1, 100]
    bytes += [0x12, 0x34, 0x11, 0x51, UInt8((length - 20) >> 8), UInt8((length - 20) & 255), 0, 0]
    return bytes + payload
  }

  /// IPv4 and TCP without payload, from the client's address and port 4660 to the server's port 4433.
  static func tcp(flags: UInt8) -> [UInt8] {
    let bytes: [UInt8] = [0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 198, 18, 0, 100, 198, 18, 1, 100]
    return bytes + segment(flags: flags)
  }

  /// The same over IPv6.
  static func tcpIPv6(flags: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [0x60, 0, 0, 0, 0, 20, 6, 64]
    for network in [UInt8(0), 1] { bytes += [0x20, 1, 0x0D, 0xB8, 0, 0x18, 0, network] + [0, 0, 0, 0, 0, 0, 1, 0] }
    return bytes + segment(flags: flags)
  }

  private static func segment(flags: UInt8) -> [UInt8] {
    [0x12, 0x34, 0x11, 0x51, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0]
  }
}
