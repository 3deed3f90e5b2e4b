/// The type of a packet with a long header (RFC 9000 § 17.2), which version 2 numbers differently (RFC 9369 § 3.2).
enum LongHeaderType: UInt8 {
  case initial
  case zeroRTT
  case handshake
  case retry

  /// - Parameter bytes: a packet or its header; nil for a short header or too few bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 5, bytes[0] & 0x80 != 0 else { return nil }
    let version = bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self).bigEndian
    let number = bytes[0] >> 4 & 3
    self.init(rawValue: version == QUICVersion.v2.rawValue ? (number &- 1) & 3 : number)
  }

  /// Whether a datagram that we wrote holds a Handshake packet, alone or behind an Initial packet.
  static func isHandshake(inDatagram datagram: UnsafeRawBufferPointer) -> Bool {
    var rest = datagram
    while let type = LongHeaderType(rest) {
      if type == .handshake { return true }
      var reader = ByteReader(rest)
      guard reader.bytes(5) != nil, let destination = reader.byte(), reader.bytes(Int(destination)) != nil,
        let source = reader.byte(), reader.bytes(Int(source)) != nil
      else { return false }
      if type == .initial {
        guard let token = reader.varint(), reader.bytes(token) != nil else { return false }
      }
      guard let length = reader.varint(), reader.bytes(length) != nil else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.suffix(reader.count))
    }
    return false
  }
}
