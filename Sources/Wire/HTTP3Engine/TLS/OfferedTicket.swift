/// The session ticket that a ClientHello offers (RFC 8446 § 4.2.11), as far as it tells by whom it can be opened.
enum OfferedTicket {
  private static let preSharedKey: UInt32 = 41

  /// The first bytes of the first ticket; nil where there is none, or it has fewer.
  static func keyName(in clientHello: UnsafeRawBufferPointer, _ length: Int) -> [UInt8]? {
    var name: [UInt8]?
    TLSExtensions.forEach(in: clientHello, isClientHello: true) { number, bytes in
      guard number == Self.preSharedKey, name == nil else { return }
      var reader = ByteReader(bytes)
      // The list's length, and the identity's.
      guard reader.integer(2) != nil, let size = reader.integer(2), size >= UInt64(length),
        let bytes = reader.bytes(UInt64(length))
      else { return }
      name = Array(bytes)
    }
    return name
  }
}
