/// The transport parameters as they stand in a handshake message (RFC 9000 § 18), for what the library lets pass.
enum TransportParameterList {
  /// TLS's number for the extension that carries them (RFC 9001 § 8.2).
  private static let number: UInt32 = 0x39

  /// Whether one is given twice (RFC 9000 § 7.4), which the library (1.11) does not notice.
  static func isRepetitive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes)
    var seen: Set<UInt64> = []
    while let id = reader.varint(), let length = reader.varint(), reader.bytes(length) != nil {
      guard seen.insert(id).inserted else { return true }
    }
    return false
  }

  /// The same of the parameters in a ClientHello, or in an EncryptedExtensions.
  static func isRepetitive(in message: UnsafeRawBufferPointer, isClientHello: Bool) -> Bool {
    var isRepetitive = false
    TLSExtensions.forEach(in: message, isClientHello: isClientHello) { number, bytes in
      if number == Self.number { isRepetitive = Self.isRepetitive(bytes) }
    }
    return isRepetitive
  }
}
