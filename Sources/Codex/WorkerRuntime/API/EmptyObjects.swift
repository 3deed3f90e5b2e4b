/// Empty objects as the language of the contract's public layer writes them: as empty arrays, since it has one notation for
/// both.
enum EmptyObjects {
  /// JSON text with `[]` in the place of each `{}`; inside of strings it stays.
  static func asArrays(_ json: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(json.count)
    var isString = false
    var isEscaped = false
    for byte in json {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte == UInt8(ascii: "}"), let open = text.lastIndex(where: { !spaces.contains($0) }),
        text[open] == UInt8(ascii: "{")
      {
        text[open] = UInt8(ascii: "[")
        text.append(UInt8(ascii: "]"))
        continue
      }
      text.append(byte)
    }
    return text
  }

  private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
}
