import CLinux

/// A TCP connection by its addresses, as the server sees them.
struct TCPFlow: Hashable, Sendable {
  /// An address in host order, an IPv4 one in the low half.
  struct End: Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64
    var port: UInt16
  }

  private static let tcp: UInt8 = 6
  private static let synchronise: UInt8 = 0x02
  private static let acknowledge: UInt8 = 0x10

  /// The version of IP.
  let family: UInt8
  let client: End
  let server: End

  /// The flow that a packet toward the server opens, by a SYN without ACK; nil of any other packet.
  init?(opening packet: [UInt8]) {
    guard let first = packet.first else { return nil }
    let header: Int
    let isTCP: Bool
    switch first >> 4 {
    case 4:
      header = Int(first & 0x0F) * 4
      isTCP = header >= 20 && packet.count > 9 && packet[9] == Self.tcp
    case 6:
      header = 40
      isTCP = packet.count > 6 && packet[6] == Self.tcp
    default: return nil
    }
    guard isTCP, packet.count >= header + 20,
      packet[header + 13] & (Self.synchronise | Self.acknowledge) == Self.synchronise
    else { return nil }
    func number(_ start: Int, _ count: Int) -> UInt64 {
      packet[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let ports = (client: UInt16(number(header, 2)), server: UInt16(number(header + 2, 2)))
    if first >> 4 == 4 {
      family = 4
      client = End(low: number(12, 4), port: ports.client)
      server = End(low: number(16, 4), port: ports.server)
    } else {
      family = 6
      client = End(high: number(8, 8), low: number(16, 8), port: ports.client)
      server = End(high: number(24, 8), low: number(32, 8), port: ports.server)
    }
  }

  func address(of end: End) -> clinux_address {
    clinux_address(high: end.high, low: end.low, scope: 0, port: end.port, family: family)
  }
}
