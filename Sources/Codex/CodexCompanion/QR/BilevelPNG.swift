/// A black and white PNG image (ISO/IEC 15948), not compressed.
struct BilevelPNG {
  /// The longest stored block (RFC 1951 § 3.2.4).
  private static let blockBytes = 65_535

  let bytes: [UInt8]

  /// - Parameter rows: from the top; true for black. All have one length.
  init(_ rows: [[Bool]]) {
    let width = UInt32(clamping: rows.first?.count ?? 0)
    let height = UInt32(clamping: rows.count)
    // One bit a pixel, grey, no filter, no interlacing.
    let header = Self.bytes(of: width) + Self.bytes(of: height) + [1, 0, 0, 0, 0]
    bytes =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.zlib(rows.flatMap(Self.scanLine))) + Self.chunk("IEND", [])
  }

  /// The filter type 0, then eight pixels a byte, the leftmost in the highest bit; 1 is white.
  private static func scanLine(_ row: [Bool]) -> [UInt8] {
    var line: [UInt8] = [0]
    for start in stride(from: 0, to: row.count, by: 8) {
      var byte: UInt8 = 0
      for (bit, isBlack) in row[start..<min(start + 8, row.count)].enumerated() where !isBlack {
        byte |= 0x80 >> UInt8(bit)
      }
      line.append(byte)
    }
    return line
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bytes(of: UInt32(clamping: data.count)) + body + bytes(of: crc32(body))
  }

  /// A zlib stream (RFC 1950) of stored blocks.
  private static func zlib(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: blockBytes) {
      let block = data[start..<min(start + blockBytes, data.count)]
      let length = UInt16(block.count)
      stream.append(start + block.count == data.count ? 1 : 0)
      for word in [length, ~length] { stream += [UInt8(word & 0xFF), UInt8(word >> 8)] }
      stream += block
    }
    return stream + bytes(of: adler32(data))
  }

  private static func bytes(of number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  /// The checksum of a chunk (ISO/IEC 15948 § 5.5).
  static func crc32(_ data: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in data {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  /// The checksum of a zlib stream (RFC 1950 § 8.2).
  static func adler32(_ data: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
