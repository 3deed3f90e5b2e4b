/// Text as it may stand between tags and in quoted attributes.
enum XMLText {
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  /// The characters of XML 1.0 § 2.2, without those that XML 1.1 and HTML warn of and without those that turn the
  /// direction of what follows them: a name must not rearrange the text after it.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: false
    case 0x202A...0x202E, 0x2066...0x2069: false
    case let value: value & 0xFFFE != 0xFFFE
    }
  }
}
