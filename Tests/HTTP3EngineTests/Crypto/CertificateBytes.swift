/// Certificates byte by byte, as no library makes them.
enum CertificateBytes {
  /// TLS's Certificate message without its header (RFC 8446 § 4.4.2).
  static func message(_ certificates: [[UInt8]]) -> [UInt8] {
    let entries = certificates.flatMap { certificate -> [UInt8] in
      number(certificate.count, 3) + certificate + [0, 0]
    }
    return [0] + number(entries.count, 3) + entries
  }

  /// A certificate (RFC 5280 § 4.1) with an RSA key whose numbers have this many bytes, and a signature that is none.
  static func rsa(modulusCount: Int, exponentCount: Int) -> [UInt8] {
    let algorithm = item(0x30, [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11] + [0x05, 0])
    let encryption = item(0x30, [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1] + [0x05, 0])
    let key = item(0x30, integer(modulusCount) + integer(exponentCount))
    let name = item(0x30, item(0x31, item(0x30, [0x06, 3, 0x55, 4, 3] + item(0x0c, Array("x".utf8)))))
    let dates = item(0x30, item(0x17, Array("260101000000Z".utf8)) + item(0x17, Array("490101000000Z".utf8)))
    let contents =
      item(0xa0, [0x02, 1, 2]) + [0x02, 1, 1] + algorithm + name + dates + name
      + item(0x30, encryption + item(0x03, [0] + key))
    return item(0x30, item(0x30, contents) + algorithm + item(0x03, [0] + [UInt8](repeating: 7, count: 16)))
  }

  /// A positive odd number of this many bytes, with a byte for its sign before them.
  private static func integer(_ count: Int) -> [UInt8] {
    item(0x02, [0] + [UInt8](repeating: 0xff, count: count))
  }

  private static func item(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    return [tag]
      + (count < 128
        ? [UInt8(count)] : count < 256 ? [0x81, UInt8(count)] : [0x82] + number(count, 2)) + content
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
