extension String {
  /// Equality of the UTF-8 bytes. `==` compares by canonical equivalence, under which a cut combining sequence would
  /// pass for the whole one.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// What follows the given bytes; nil where the string does not begin with them. A cut always lies between scalars,
  /// because both sides are valid UTF-8.
  func bytes(after prefix: String) -> String? {
    guard utf8.count >= prefix.utf8.count, utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
