/// The rule by which the loops of one server share out its datagrams, and with them its connections: by four bytes of the
/// destination connection id of a datagram's first packet, wherever it comes from (RFC 9000 § 5.2).
///
/// A client makes the first id of its connection itself; those that a loop gives out lead to that loop. The kernel applies the
/// same rule to choose among the loops' sockets, so it has only the operations of classic BPF. The multiplication by a number
/// that nobody outside knows hides which ids are of one loop (§ 5.1), and which loop a first id leads to. It is no cipher:
/// an observer of many ids can find the number out, and gains no more than that knowledge.
package struct LoopSteering: Hashable, Sendable {
  /// The most loops that a server may have.
  package static let maximumLoops = 64

  /// The place of the four bytes in an id: the last of the eight that the first id of each client has at least
  /// (RFC 9000 § 7.2).
  private static let position = 4
  /// Their place in a packet with a short header, behind its first byte (RFC 9000 § 17.3), and in one with a long header,
  /// behind the version and the id's length too (§ 17.2).
  package static let (shortOffset, longOffset) = (1 + position, 6 + position)

  package let loopCount: Int
  /// Odd, so that there is an id for each loop.
  package let multiplier: UInt32
  /// The number that undoes the multiplication, modulo 2³².
  private let inverse: UInt32

  /// - Parameters:
  ///   - loopCount: 1 at least.
  ///   - multiplier: random; its lowest bit is set in any case.
  package init(loopCount: Int, multiplier: UInt32) {
    self.loopCount = max(loopCount, 1)
    self.multiplier = multiplier | 1
    // Newton's iteration, which doubles the number of low bits that are right: three at first, as each odd number is its own
    // inverse modulo 8.
    var inverse = self.multiplier
    for _ in 0..<4 { inverse &*= 2 &- self.multiplier &* inverse }
    self.inverse = inverse
  }

  /// The loop that a datagram is for; the first one where it is too short for an id of ours.
  package func loop(of datagram: UnsafeRawBufferPointer) -> Int {
    guard let first = datagram.first else { return 0 }
    let offset = first & 0x80 == 0 ? Self.shortOffset : Self.longOffset
    guard datagram.count >= offset + 4 else { return 0 }
    return loop(of: UInt32(bigEndian: datagram.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The loop that an id of eight bytes or more leads to.
  func loop(of id: [UInt8]) -> Int {
    loop(of: id.dropFirst(Self.position).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }

  private func loop(of word: UInt32) -> Int { Int((word &* multiplier) >> 16) % loopCount }

  /// Changes a random id so that it leads to a loop; one of fewer than eight bytes stays as it is.
  func direct(_ id: inout [UInt8], to loop: Int) {
    id.withUnsafeMutableBytes { bytes in
      guard bytes.count >= Self.position + 4 else { return }
      let word = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: Self.position, as: UInt32.self))
      let product = word &* multiplier
      var high = Int(product >> 16)
      high += loop - high % loopCount
      if high > 0xffff { high -= loopCount }
      let directed = (UInt32(high) << 16 | product & 0xffff) &* inverse
      bytes.storeBytes(of: directed.bigEndian, toByteOffset: Self.position, as: UInt32.self)
    }
  }
}
