import CQUIC

/// The extensions of a ClientHello or an EncryptedExtensions message (RFC 8446 § 4.2).
enum TLSExtensions {
  private typealias Visitor = (_ number: UInt32, _ bytes: UnsafeRawBufferPointer) -> Void

  /// Calls `visit` with each extension's number and contents, as far as the message is well-formed.
  static func forEach(
    in message: UnsafeRawBufferPointer, isClientHello: Bool,
    _ visit: (_ number: UInt32, _ bytes: UnsafeRawBufferPointer) -> Void
  ) {
    // GnuTLS does not write through it.
    var datum = gnutls_datum_t(
      data: UnsafeMutablePointer(mutating: message.baseAddress?.assumingMemoryBound(to: UInt8.self)),
      size: UInt32(clamping: message.count))
    withoutActuallyEscaping(visit) { visit in
      var visitor: Visitor = visit
      _ = withUnsafeMutablePointer(to: &visitor) { context in
        gnutls_ext_raw_parse(
          context,
          { context, number, data, size in
            context?.assumingMemoryBound(to: Visitor.self)
              .pointee(number, UnsafeRawBufferPointer(start: data, count: Int(size)))
            return 0
          }, &datum, isClientHello ? UInt32(GNUTLS_EXT_RAW_FLAG_TLS_CLIENT_HELLO) : 0)
      }
    }
  }
}
