extension String {
  /// The UTF-8 bytes, by which strings are told apart in sets and dictionaries.
  var utf8Bytes: [UInt8] { Array(utf8) }

  /// Equality of the UTF-8 bytes. `==` compares by canonical equivalence, under which a cut combining sequence would
  /// pass for the whole one.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && hasBytePrefix(other)
  }

  /// What follows the given bytes; nil where the string does not begin with them. A cut always lies between scalars,
  /// because both sides are valid UTF-8.
  func bytes(after prefix: String) -> String? {
    hasBytePrefix(prefix) ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }

  /// Compares the storage in place: a long answer is compared with each of its deltas.
  private func hasBytePrefix(_ prefix: String) -> Bool {
    guard utf8.count >= prefix.utf8.count else { return false }
    let compared = utf8.withContiguousStorageIfAvailable { own in
      prefix.utf8.withContiguousStorageIfAvailable { other in own[..<other.count].elementsEqual(other) }
    }
    return (compared ?? nil) ?? utf8.starts(with: prefix.utf8)
  }
}
