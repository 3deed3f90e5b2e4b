import CQUIC

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
    // GnuTLS does not write through it.
    var datum = gnutls_datum_t(
      data: UnsafeMutablePointer(mutating: message.baseAddress?.assumingMemoryBound(to: UInt8.self)),
      size: UInt32(clamping: message.count))
    var isRepetitive = false
    _ = withUnsafeMutablePointer(to: &isRepetitive) { result in
      gnutls_ext_raw_parse(
        result,
        { context, number, data, size in
          guard number == TransportParameterList.number else { return 0 }
          let bytes = UnsafeRawBufferPointer(start: data, count: Int(size))
          context?.assumingMemoryBound(to: Bool.self).pointee = TransportParameterList.isRepetitive(bytes)
          return 0
        }, &datum, isClientHello ? UInt32(GNUTLS_EXT_RAW_FLAG_TLS_CLIENT_HELLO) : 0)
    }
    return isRepetitive
  }
}
