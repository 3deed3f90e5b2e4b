/// A ClientHello's key shares (RFC 8446 § 4.2.8), as far as early data depends on them.
enum KeyShareList {
  private static let keyShare: UInt32 = 51
  private static let earlyData: UInt32 = 42

  /// Whether the client sends early data without a share that a server could use. Such a handshake needs a
  /// HelloRetryRequest, and early data is then refused (RFC 8446 § 4.2.10); GnuTLS (3.7.9) takes it first and asks then.
  static func isMissingBesideEarlyData(
    in clientHello: UnsafeRawBufferPointer, _ groups: [KeyExchangeGroup]
  ) -> Bool {
    var (hasEarlyData, isShareUsable) = (false, false)
    TLSExtensions.forEach(in: clientHello, isClientHello: true) { number, bytes in
      switch number {
      case Self.earlyData: hasEarlyData = true
      case Self.keyShare: isShareUsable = contains(groups, in: bytes)
      default: break
      }
    }
    return hasEarlyData && !isShareUsable
  }

  private static func contains(_ groups: [KeyExchangeGroup], in bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes)
    guard reader.integer(2) != nil else { return false }
    while let group = reader.integer(2), let length = reader.integer(2), reader.bytes(length) != nil {
      if groups.contains(where: { UInt64($0.rawValue) == group }) { return true }
    }
    return false
  }
}
