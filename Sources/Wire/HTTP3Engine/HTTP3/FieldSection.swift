import CQUIC

/// Header fields checked and laid out for nghttp3, which copies them.
struct FieldSection {
  private var bytes: [UInt8] = []
  private var lengths: [(name: Int, value: Int, isSensitive: Bool)] = []

  /// Lower-cases names and throws `invalidMessage` for what HTTP/3 forbids (RFC 9114 §§ 4.2, 10.3).
  init(_ fields: [HeaderField]) throws(HTTP3Error) {
    lengths.reserveCapacity(fields.count)
    for field in fields {
      let start = bytes.count
      for byte in field.name.utf8 {
        guard byte > 0x20, byte < 0x7f, byte != 0x3a || bytes.count == start else {
          throw HTTP3Error(.invalidMessage, "'\(field.name)' is no field name.")
        }
        bytes.append(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
      }
      let nameLength = bytes.count - start
      guard nameLength > 0 else { throw HTTP3Error(.invalidMessage, "A field needs a name.") }
      for byte in field.value.utf8 {
        guard byte >= 0x20 || byte == 0x09, byte != 0x7f else {
          throw HTTP3Error(.invalidMessage, "The value of '\(field.name)' holds a control character.")
        }
        bytes.append(byte)
      }
      let isSensitive = field.isSensitive || Self.alwaysSensitive.contains(field.name.lowercased())
      lengths.append((nameLength, bytes.count - start - nameLength, isSensitive))
    }
  }

  /// Lends the section in nghttp3's form, valid for the call only.
  func withFields<Result>(_ body: (UnsafePointer<nghttp3_nv>?, Int) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      var offset = 0
      let fields = lengths.map { length -> nghttp3_nv in
        let name = buffer.baseAddress.map { $0 + offset }
        let value = buffer.baseAddress.map { $0 + offset + length.name }
        offset += length.name + length.value
        return nghttp3_nv(
          name: UnsafeMutablePointer(mutating: name), value: UnsafeMutablePointer(mutating: value),
          namelen: length.name, valuelen: length.value,
          flags: UInt8(length.isSensitive ? NGHTTP3_NV_FLAG_NEVER_INDEX : NGHTTP3_NV_FLAG_NONE))
      }
      return fields.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
  }

  private static let alwaysSensitive: Set<String> = ["authorization", "cookie", "set-cookie"]
}
