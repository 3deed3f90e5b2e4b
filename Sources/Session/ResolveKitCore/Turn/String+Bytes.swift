extension String {
  /// The UTF-8 bytes, by which sets and dictionaries distinguish strings.
  var utf8Bytes: [UInt8] { Array(utf8) }

  /// Equality of the UTF-8 bytes. `==` compares by canonical equivalence, under which a cut combining sequence would
  /// pass for the whole one.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && hasBytePrefix(other)
  }

  /// Hashes the bytes and how many there are.
  func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      utf8Bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// The part after the given bytes; nil where the string does not begin with them. A cut always lies between scalars,
  /// because both sides are valid UTF-8.
  func bytes(after prefix: String) -> String? {
    hasBytePrefix(prefix) ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }

  /// Compares the storage in place: a long answer is compared with each of its deltas.
  private func hasBytePrefix(_ prefix: String) -> Bool {
    guard utf8.count >= prefix.utf8.count else { return false }
    let compared = utf8.withContiguousStorageIfAvailable { own in
      prefix.utf8.withContiguousStorageIfAvailable { other in own.beginsWithBytes(of: other) }
    }
    return (compared ?? nil) ?? utf8.starts(with: prefix.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes begin with those of `prefix`, which are not more. By words: ids are compared with those of a
  /// thousand calls at each event.
  fileprivate func beginsWithBytes(of prefix: UnsafeBufferPointer<UInt8>) -> Bool {
    let own = UnsafeRawBufferPointer(self)
    let other = UnsafeRawBufferPointer(prefix)
    let words = other.count & ~7
    for offset in stride(from: 0, to: words, by: 8)
    where own.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    {
      return false
    }
    for offset in words..<other.count where own[offset] != other[offset] { return false }
    return true
  }
}
