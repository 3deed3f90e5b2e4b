/// QUIC's and HTTP/3's frames in bytes, for attacks.
enum Frames {
  /// A variable-length integer (RFC 9000 § 16).
  static func varint(_ value: UInt64) -> [UInt8] {
    switch value {
    case ..<0x40: [UInt8(value)]
    case ..<0x4000: [UInt8(value >> 8) | 0x40, UInt8(truncatingIfNeeded: value)]
    default: (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) | ($0 == 0 ? 0xc0 : 0) }
    }
  }

  /// One of RFC 9000 § 19: a type and variable-length integers.
  static func quic(_ type: UInt64, _ fields: UInt64..., then bytes: [UInt8] = []) -> [UInt8] {
    varint(type) + fields.flatMap(varint) + bytes
  }

  /// One of RFC 9114 § 7.2.
  static func http(_ type: UInt64, _ payload: [UInt8]) -> [UInt8] {
    varint(type) + varint(UInt64(payload.count)) + payload
  }

  /// A field section without the dynamic table: `GET https://localhost/bytes/5`, or of another path, and what follows.
  static func get(_ path: String = "/bytes/5", then lines: [UInt8] = []) -> [UInt8] {
    http(
      1,
      [0, 0, 0xd1, 0xd7] + [0x50, 9] + Array("localhost".utf8) + [0x51, UInt8(path.utf8.count)] + path.utf8 + lines)
  }

  /// A literal field line with a literal name (RFC 9204 § 4.5.6); both shorter than 127 or so.
  static func line(_ name: String, _ value: String) -> [UInt8] {
    prefixed(0x20, bits: 3, name.utf8.count) + name.utf8 + prefixed(0, bits: 7, value.utf8.count) + value.utf8
  }

  /// A prefixed integer (RFC 7541 § 5.1).
  static func prefixed(_ pattern: UInt8, bits: Int, _ value: Int) -> [UInt8] {
    let most = (1 << bits) - 1
    guard value >= most else { return [pattern | UInt8(value)] }
    var (bytes, rest) = ([pattern | UInt8(most)], value - most)
    while rest >= 128 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
