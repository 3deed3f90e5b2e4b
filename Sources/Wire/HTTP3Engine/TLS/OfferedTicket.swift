/// The session ticket that a ClientHello offers (RFC 8446 § 4.2.11), as far as it tells by whom it can be opened.
enum OfferedTicket {
  private static let preSharedKey: UInt32 = 41

  /// The first bytes of the first ticket; nil where there is none, or it has fewer.
  static func keyName(in clientHello: UnsafeRawBufferPointer, _ length: Int) -> [UInt8]? {
    var name: [UInt8]?
    TLSExtensions.forEach(in: clientHello, isClientHello: true) { number, bytes in
      guard number == Self.preSharedKey, name == nil else { return }
      var reader = ByteReader(bytes)
      guard let size = reader.integer(2), let list = reader.bytes(size) else { return }
      var identities = ByteReader(list)
      guard let size = identities.integer(2), let ticket = identities.bytes(size), ticket.count >= length else {
        return
      }
      name = Array(ticket.prefix(length))
    }
    return name
  }
}
