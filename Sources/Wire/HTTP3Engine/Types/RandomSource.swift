/// The engine's source of connection ids, reset tokens, path challenges and packet-number gaps.
///
/// A class, because one source is shared by all connections of an owner; a test passes a seeded one.
package final class RandomSource {
  private var generator: any RandomNumberGenerator

  package init(_ generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
    self.generator = generator
  }

  package func fill(_ destination: UnsafeMutableRawBufferPointer) {
    var word: UInt64 = 0
    for index in destination.indices {
      if index % 8 == 0 { word = generator.next() }
      destination[index] = UInt8(truncatingIfNeeded: word)
      word >>= 8
    }
  }

  package func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      fill(UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }
}
