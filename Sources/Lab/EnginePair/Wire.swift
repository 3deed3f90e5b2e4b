import HTTP3Engine

/// QUIC's, HTTP/3's and QPACK's parts in bytes, for peers that write what they like.
package enum Wire {
  /// A variable-length integer (RFC 9000 § 16).
  package static func varint(_ value: UInt64) -> [UInt8] { VariableLengthInteger.bytes(of: value) }

  /// The largest of them.
  package static let largestVarint = VariableLengthInteger.largest

  /// A frame of RFC 9000 § 19: a type, variable-length integers, and bytes.
  package static func quic(_ type: UInt64, _ fields: UInt64..., then bytes: [UInt8] = []) -> [UInt8] {
    varint(type) + fields.flatMap(varint) + bytes
  }

  /// A frame of RFC 9114 § 7.2.
  package static func http(_ type: UInt64, _ payload: [UInt8]) -> [UInt8] {
    varint(type) + varint(UInt64(payload.count)) + payload
  }

  /// A literal field line with a literal name (RFC 9204 § 4.5.6).
  package static func line(_ name: String, _ value: String) -> [UInt8] { line(Array(name.utf8), Array(value.utf8)) }

  package static func line(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
    prefixed(0x20, bits: 3, name.count) + name + prefixed(0, bits: 7, value.count) + value
  }

  /// A prefixed integer (RFC 7541 § 5.1).
  package static func prefixed(_ pattern: UInt8, bits: Int, _ value: Int) -> [UInt8] {
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
