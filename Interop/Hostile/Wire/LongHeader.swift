/// The part of a long header that all versions of QUIC share (RFC 8999 § 5.1).
struct LongHeader {
  var version: UInt32
  var destination: [UInt8]
  var source: [UInt8]

  /// Nil for other datagrams.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 6, bytes[0] & 0x80 != 0 else { return nil }
    version = bytes[1..<5].reduce(0) { $0 << 8 | UInt32($1) }
    var rest = bytes[5...]
    func id() -> [UInt8]? {
      guard let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
      defer { rest = rest.dropFirst(Int(length)) }
      return Array(rest.prefix(Int(length)))
    }
    guard let destination = id(), let source = id() else { return nil }
    self.destination = destination
    self.source = source
  }

  /// Version Negotiation in answer to this packet (RFC 9000 § 17.2.1).
  func versionNegotiation(_ versions: UInt32...) -> [UInt8] {
    let ids = [UInt8(source.count)] + source + [UInt8(destination.count)] + destination
    return [0xc0, 0, 0, 0, 0] + ids
      + versions.flatMap { version in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: version >> $0) } }
  }
}
