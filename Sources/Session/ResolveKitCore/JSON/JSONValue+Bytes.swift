extension JSONValue {
  /// Deepest nesting that is read. A legitimate payload stays far below.
  public static let maximumDepth = 128

  /// Parses JSON text (RFC 8259). Invalid UTF-8 inside strings is repaired with U+FFFD, a repeated name keeps its
  /// last value.
  /// - Throws: `JSONError` with the offset of the fault; no input traps.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try JSONParser<Self>.parse(bytes, maximumDepth: Self.maximumDepth)
  }

  /// Parses JSON text held in a string.
  public init(parsing text: String) throws(JSONError) {
    self = try JSONParser<Self>.parse(Array(text.utf8), maximumDepth: Self.maximumDepth)
  }

  /// Compact JSON text in UTF-8 with names in byte order, so that equal values have equal bytes. A number that JSON
  /// cannot express (NaN, infinity) is written as null.
  public func serialized() -> [UInt8] {
    var writer = JSONWriter()
    writer.append(self)
    return writer.bytes
  }

  /// The same text as `serialized()` as a string.
  public var jsonText: String { String(decoding: serialized(), as: UTF8.self) }

  /// The range of a member's value in JSON text, by the names that lead to it; of two members of one name the last,
  /// as ``init(parsing:)-([UInt8])`` has it. nil where there is none.
  package static func place(of path: [String], in bytes: [UInt8]) -> Range<Int>? {
    JSONParser<Self>.place(of: path, in: bytes)
  }
}
