/// RFC 8259 parser over bytes. Depth is limited, so that no input can exhaust the stack.
struct JSONParser<Tree: JSONTree> {
  private let bytes: UnsafeRawBufferPointer
  private let maximumDepth: Int
  private var position = 0

  static func parse(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) -> Tree {
    try with(bytes, maximumDepth) { parser throws(JSONError) in
      let value = try parser.value(depth: 0)
      parser.skipSpace()
      guard parser.position == parser.bytes.count else { throw parser.fault("unexpected bytes after the value") }
      return value
    }
  }

  /// The range of a member's value, by the names that lead to it; of two members of one name the last, as ``parse``
  /// has it. nil where there is none. The value may be anything whose brackets and strings end.
  static func place(of path: [String], in bytes: [UInt8]) -> Range<Int>? {
    try? with(bytes, 0) { parser throws(JSONError) in try parser.place(of: path[...]) }
  }

  private static func with<Result>(
    _ bytes: [UInt8], _ maximumDepth: Int, _ body: (inout Self) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    let result = bytes.withUnsafeBytes { buffer in
      Swift.Result { () throws(JSONError) in
        var parser = Self(bytes: buffer, maximumDepth: maximumDepth)
        // RFC 8259 § 8.1: a parser may ignore a byte order mark.
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        return try body(&parser)
      }
    }
    return try result.get()
  }

  private init(bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  private func fault(_ message: String) -> JSONError {
    position < bytes.count
      ? JSONError(.syntax, at: position, message) : JSONError(.syntax, at: position, "the text ends too early")
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func value(depth: Int) throws(JSONError) -> Tree {
    guard depth <= maximumDepth else {
      throw JSONError(.tooDeep, at: position, "nested deeper than \(maximumDepth) levels")
    }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ text: StaticString, _ value: Tree) throws(JSONError) -> Tree {
    let expected = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes[position...].starts(with: expected) else { throw fault("unknown word") }
    position += expected.count
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> Tree {
    position += 1
    var members: [String: Tree] = [:]
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return .object(members)
    }
    while true {
      skipSpace()
      let start = position
      let name = try memberName()
      if !Tree.allowsRepeatedNames, members[name] != nil {
        throw JSONError(.repeatedName, at: start, "the name \(name.visibleJSON) is given twice")
      }
      members[name] = try value(depth: depth + 1)
      if try endsList(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// A name and the colon behind it.
  private mutating func memberName() throws(JSONError) -> String {
    guard current == UInt8(ascii: "\"") else { throw fault("expected a member name") }
    let name = try string()
    skipSpace()
    guard current == UInt8(ascii: ":") else { throw fault("expected ':'") }
    position += 1
    return name
  }

  private mutating func place(of path: ArraySlice<String>) throws(JSONError) -> Range<Int>? {
    skipSpace()
    let start = position
    guard let wanted = path.first, current == UInt8(ascii: "{") else {
      try passValue()
      return path.isEmpty ? start..<position : nil
    }
    position += 1
    skipSpace()
    var found: Range<Int>?
    guard current != UInt8(ascii: "}") else {
      position += 1
      return nil
    }
    repeat {
      skipSpace()
      if try memberName().hasSameBytes(as: wanted) {
        found = try place(of: path.dropFirst())
      } else {
        skipSpace()
        try passValue()
      }
    } while try !endsList(with: UInt8(ascii: "}"))
    return found
  }

  /// Passes over a value however deeply it is nested, and whatever stands between its brackets.
  private mutating func passValue() throws(JSONError) {
    var depth = 0
    repeat {
      switch current {
      case nil: throw fault("expected a value")
      case UInt8(ascii: "\""):
        _ = try string()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        guard depth > 0 else { throw fault("expected a value") }
        if current != UInt8(ascii: ",") { depth -= 1 }
      default: break
      }
      position += 1
    } while depth > 0 || isInWord
  }

  /// Whether a number or a literal continues.
  private var isInWord: Bool {
    guard let byte = current, position > 0 else { return false }
    let ends = Array("{}[],:\" \t\r\n".utf8)
    return !ends.contains(byte) && !ends.contains(bytes[position - 1])
  }

  private mutating func array(depth: Int) throws(JSONError) -> Tree {
    position += 1
    var elements: [Tree] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth + 1))
      if try endsList(with: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func endsList(with end: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard let byte = current, byte == UInt8(ascii: ",") || byte == end else {
      throw fault("expected ',' or the closing bracket")
    }
    position += 1
    return byte == end
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = current, byte >= 0x30, byte <= 0x39 { position += 1 }
    guard position > start else { throw fault("expected a digit") }
  }

  private mutating func number() throws(JSONError) -> Tree {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let first = position
    guard let lead = current, lead >= 0x30, lead <= 0x39 else { throw fault("expected a value") }
    try digits()
    if lead == 0x30, position > first + 1 {
      position = first
      throw fault("a number starts with a superfluous zero")
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if let byte = current, byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if let sign = current, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = Tree.number(written: text) else {
      throw JSONError(.numberOutOfRange, at: start, "a number is outside the range of a double")
    }
    return number
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
    if current == UInt8(ascii: "\"") {
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      position += 1
      return text
    }
    var buffer = [UInt8](bytes[start..<position])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: buffer, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &buffer)
      case 0..<0x20:
        throw fault("an unescaped control character")
      default:
        buffer.append(byte)
        position += 1
      }
    }
    throw fault("an unfinished string")
  }

  private mutating func escape(into buffer: inout [UInt8]) throws(JSONError) {
    guard let byte = current else { throw fault("an unfinished escape") }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "f"): buffer.append(0x0C)
    case UInt8(ascii: "n"): buffer.append(0x0A)
    case UInt8(ascii: "r"): buffer.append(0x0D)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      let scalar = try unicodeEscape()
      buffer.append(contentsOf: Array(String(Character(scalar)).utf8))
      return
    default: throw fault("an unknown escape")
    }
    position += 1
  }

  /// A lone surrogate becomes U+FFFD: RFC 8259 § 8.2 leaves it open, and text must stay valid Unicode.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    let high = try fourHexDigits()
    guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) ?? replacement }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else { return replacement }
    let mark = position
    position += 2
    let low = try fourHexDigits()
    guard (0xDC00..<0xE000).contains(low) else {
      position = mark
      return replacement
    }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw fault("expected four hexadecimal digits")
      }
      result = result << 4 | UInt32(digit)
      position += 1
    }
    return result
  }
}
