/// The formats of texts that MCP's forms have. What they leave open is the server's to check.
enum RemoteFormFormat {
  /// True for a format that is not known, which is a remark and no rule.
  static func isMatched(_ format: String?, by text: String) -> Bool {
    switch format {
    case "email"?: isEmail(text)
    case "uri"?: isURI(text)
    case "date"?: isDate(Array(text.utf8)[...])
    case "date-time"?: isTime(Array(text.utf8))
    default: true
    }
  }

  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && !text.contains(where: \.isWhitespace)
  }

  /// A scheme, a colon, and more (RFC 3986 § 3).
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII, first.isLetter,
      text.index(after: colon) < text.endIndex, !text.contains(where: \.isWhitespace)
    else { return false }
    return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  /// `full-date` of RFC 3339, whatever the month's length.
  private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
    let text = Array(text)
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), number(text[..<4]) != nil,
      let month = number(text[5..<7]), let day = number(text[8...])
    else { return false }
    return (1...12).contains(month) && (1...31).contains(day)
  }

  /// `date-time` of RFC 3339.
  private static func isTime(_ text: [UInt8]) -> Bool {
    guard text.count >= 20, isDate(text[..<10]), text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t"),
      isClock(text[11..<19], parts: [23, 59, 60])
    else { return false }
    var rest = text[19...]
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !fraction.isEmpty else { return false }
      rest = rest.dropFirst(1 + fraction.count)
    }
    if rest.count == 1 { return rest.first == UInt8(ascii: "Z") || rest.first == UInt8(ascii: "z") }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
    return isClock(rest.dropFirst(), parts: [23, 59])
  }

  /// Numbers of two digits with colons between them, none greater than its part.
  private static func isClock(_ text: ArraySlice<UInt8>, parts: [Int]) -> Bool {
    let numbers = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard numbers.count == parts.count else { return false }
    return zip(numbers, parts).allSatisfy { digits, greatest in
      digits.count == 2 && number(digits).map { $0 <= greatest } == true
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count <= 4 else { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
