import CQUIC

extension ResumptionTicket {
  private static let version: UInt8 = 1
  private static let digestLength = 32

  /// The ticket as bytes for a file: a version, the fields, and a digest over them. GnuTLS (3.7.9) crashes on session
  /// data that was damaged, so what does not have its digest is not shown to it.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = [Self.version]
    func append(_ value: UInt64) {
      withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }
    func append(_ field: [UInt8]) {
      append(UInt64(field.count))
      bytes += field
    }
    append(session)
    append(transportParameters)
    append(UInt64(certificates.count))
    for certificate in certificates { append(certificate) }
    append(settings.maximumFieldSectionSize)
    append(settings.qpackTableCapacity)
    append(settings.qpackBlockedStreams)
    append(settings.allowsExtendedConnect ? 1 : 0)
    append(settings.allowsDatagrams ? 1 : 0)
    return bytes + Self.digest(bytes[...])
  }

  /// Nil unless the bytes are those of ``encoded``, whole and unchanged.
  package init?(encoded bytes: [UInt8]) {
    guard bytes.count > Self.digestLength, bytes.first == Self.version,
      Self.digest(bytes.dropLast(Self.digestLength)) == Array(bytes.suffix(Self.digestLength))
    else { return nil }
    self.init(encodedWithoutDigest: Array(bytes.dropLast(Self.digestLength)))
  }

  /// The part of ``encoded`` before its digest.
  package init?(encodedWithoutDigest bytes: [UInt8]) {
    var rest = bytes.dropFirst()
    func number() -> UInt64? {
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    func field() -> [UInt8]? {
      guard let count = number(), count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
    guard let session = field(), let transportParameters = field(), let count = number(), count <= 16
    else { return nil }
    var certificates: [[UInt8]] = []
    for _ in 0..<count {
      guard let certificate = field() else { return nil }
      certificates.append(certificate)
    }
    guard let fieldSectionSize = number(), let capacity = number(), let blocked = number(), let connect = number(),
      let datagrams = number(), rest.isEmpty
    else { return nil }
    self.init(
      session: session, certificates: certificates, transportParameters: transportParameters,
      settings: PeerSettings(
        maximumFieldSectionSize: fieldSectionSize, qpackTableCapacity: capacity, qpackBlockedStreams: blocked,
        allowsExtendedConnect: connect != 0, allowsDatagrams: datagrams != 0))
  }

  private static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: digestLength)
    let code = bytes.withUnsafeBytes { gnutls_hash_fast(GNUTLS_DIG_SHA256, $0.baseAddress, $0.count, &digest) }
    return code == 0 ? digest : []
  }
}
