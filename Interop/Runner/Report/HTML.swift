/// Text and addresses within HTML.
enum HTML {
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // Control characters may not stand in a page, and what a peer printed can hold any.
      case _ where character.value < 0x20 && character != "\n" && character != "\t" || character.value == 0x7F:
        result += "\u{FFFD}"
      case _: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// A relative address: everything but unreserved characters and the slash is percent-encoded (RFC 3986 § 2.3).
  static func address(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case _:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    // A first part with a colon would be a scheme, and it is encoded; one that begins with a slash would leave the folder.
    return result.hasPrefix("/") ? "." + result : result
  }

  static func link(_ path: String, _ text: String) -> String { "<a href=\"\(address(path))\">\(escaped(text))</a>" }
}
