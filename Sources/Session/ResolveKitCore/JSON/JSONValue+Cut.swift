extension JSONValue {
  /// The value, if its JSON is no longer than `limit` bytes; else as much of its text as fits, as a string that ends
  /// with a mark of the cut.
  package func cut(toBytes limit: Int) -> JSONValue {
    let json = serialized()
    guard json.count > limit else { return self }
    let text = stringValue ?? String(decoding: json, as: UTF8.self)
    let total = text.utf8.count
    // The mark's figures are no longer than the total's.
    let mark = { (kept: Int) in "… [cut: the first \(kept) of \(total) bytes]" }
    var room = limit - 2 - mark(total).utf8.count
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      room -= Self.writtenLength(of: scalar)
      guard room >= 0 else { break }
      kept.append(scalar)
    }
    let start = String(kept)
    return .string(start + mark(start.utf8.count))
  }

  /// Bytes that a scalar takes in a JSON string.
  private static func writtenLength(of scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "\"", "\\", "\n", "\r", "\t": 2
    case _ where scalar.value < 0x20: 6
    default: UTF8.width(scalar)
    }
  }
}
