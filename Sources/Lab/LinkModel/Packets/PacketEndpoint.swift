/// An address and port of UDP or TCP.
struct PacketEndpoint: Hashable, Sendable {
  var transport: PacketLogEntry.TransportProtocol
  var isIPv6: Bool
  /// The first half of an IPv6 address; 0 for IPv4.
  var addressHigh: UInt64
  /// The second half of an IPv6 address; the whole of an IPv4 one.
  var addressLow: UInt64
  var port: UInt16

  /// The last byte of the address.
  var host: UInt8 {
    get { UInt8(truncatingIfNeeded: addressLow) }
    set { addressLow = addressLow & ~0xFF | UInt64(newValue) }
  }
}
