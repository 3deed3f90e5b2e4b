import TestSupport
import Testing

@testable import HTTP3Engine

/// The limit on CRYPTO bytes that wait for earlier ones (RFC 9000 § 7.5).
@Suite struct CryptoReorderingTests {
  private func admits(_ stream: inout CryptoReordering, offset: UInt64, count: UInt64, limit: UInt64) -> Bool {
    stream.admit(offset: offset, count: count, limit: limit)
  }

  @Test func bytesInOrderDoNotCount() {
    var stream = CryptoReordering()
    for offset in stride(from: 0 as UInt64, to: 10 << 20, by: 1_000) {
      #expect(admits(&stream, offset: offset, count: 1_000, limit: 16 << 10))
      stream.didDeliver(upTo: offset + 1_000)
    }
    // Nor do those that came before.
    #expect(admits(&stream, offset: 0, count: 10 << 20, limit: 16 << 10))
  }

  @Test func theLimitCountsFromTheFirstMissingByte() {
    var stream = CryptoReordering()
    #expect(admits(&stream, offset: 1, count: (16 << 10) - 1, limit: 16 << 10))
    #expect(!admits(&stream, offset: 1, count: 16 << 10, limit: 16 << 10))
    stream.didDeliver(upTo: 16 << 10)
    #expect(admits(&stream, offset: (32 << 10) - 1, count: 1, limit: 16 << 10))
    #expect(!admits(&stream, offset: 32 << 10, count: 1, limit: 16 << 10))
    #expect(!admits(&stream, offset: (1 << 62) - 1, count: (1 << 62) - 1, limit: 16 << 10))
  }

  @Test func runsApartFromEachOtherAreCounted() {
    var stream = CryptoReordering()
    for index in 0..<64 { #expect(admits(&stream, offset: UInt64(1 + index * 2), count: 1, limit: 64 << 10)) }
    // The same once more, and what joins two of them, is no further run.
    #expect(admits(&stream, offset: 1, count: 1, limit: 64 << 10))
    #expect(admits(&stream, offset: 2, count: 1, limit: 64 << 10))
    #expect(admits(&stream, offset: 1_000, count: 1, limit: 64 << 10))
    #expect(!admits(&stream, offset: 2_000, count: 1, limit: 64 << 10))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func aFlightInAnyOrderIsAdmitted(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var stream = CryptoReordering()
    let order = (0..<60 as Range<UInt64>).shuffled(using: &random)
    var arrived: Set<UInt64> = []
    for (number, piece) in (order + order.shuffled(using: &random)).enumerated() {
      #expect(admits(&stream, offset: piece * 1_000, count: 1_000, limit: 64 << 10), "seed \(seed), frame \(number)")
      arrived.insert(piece)
      var next: UInt64 = 0
      while arrived.contains(next) { next += 1 }
      stream.didDeliver(upTo: next * 1_000)
    }
  }
}
