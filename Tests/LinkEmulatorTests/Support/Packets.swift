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
}
