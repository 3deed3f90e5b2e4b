/// The UTF-8 decoder of the Encoding standard (§ 8.1.1) with replacement, state by state.
enum ReferenceUTF8 {
  static func decode(_ bytes: [UInt8]) -> [Unicode.Scalar] {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    var scalars: [Unicode.Scalar] = []
    var point: UInt32 = 0
    var needed = 0
    var bounds: ClosedRange<UInt8> = 0x80...0xBF
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if needed == 0 {
        index += 1
        switch byte {
        case 0x00...0x7F: scalars.append(Unicode.Scalar(byte))
        case 0xC2...0xDF: (needed, point) = (1, UInt32(byte & 0x1F))
        case 0xE0...0xEF:
          if byte == 0xE0 { bounds = 0xA0...0xBF }
          if byte == 0xED { bounds = 0x80...0x9F }
          (needed, point) = (2, UInt32(byte & 0x0F))
        case 0xF0...0xF4:
          if byte == 0xF0 { bounds = 0x90...0xBF }
          if byte == 0xF4 { bounds = 0x80...0x8F }
          (needed, point) = (3, UInt32(byte & 0x07))
        default: scalars.append(replacement)
        }
        continue
      }
      guard bounds.contains(byte) else {
        // The byte is looked at again as the beginning of something.
        scalars.append(replacement)
        (needed, bounds) = (0, 0x80...0xBF)
        continue
      }
      index += 1
      bounds = 0x80...0xBF
      point = point << 6 | UInt32(byte & 0x3F)
      needed -= 1
      if needed == 0 { scalars.append(Unicode.Scalar(point) ?? replacement) }
    }
    if needed > 0 { scalars.append(replacement) }
    return scalars
  }
}
