import TestSupport
import Testing

@testable import HTTP3Engine

@Suite struct UnsentPacketsTests {
  private static func packets(seed: UInt64) -> UnsentPackets {
    UnsentPackets(span: 1_000_000, random: RandomSource(SeededGenerator(seed: seed)))
  }

  /// The bytes until the next is due, in steps of a thousand.
  private static func distance(_ packets: inout UnsentPackets) -> Int {
    var count = 0
    while !packets.isDue {
      packets.didSend(byteCount: 1_000)
      count += 1_000
    }
    return count
  }

  @Test func theyComeFarApartAndCannotBeForetold() {
    var places: Set<Int> = []
    for seed in UInt64(1)...50 {
      var packets = Self.packets(seed: seed)
      let first = Self.distance(&packets)
      #expect((1_000_000...3_002_000).contains(first), "seed \(seed)")
      packets.add(77)
      let next = Self.distance(&packets)
      #expect((1_000_000...5_002_000).contains(next), "seed \(seed)")
      places.insert(first)
      #expect(packets.numbers == [77])
    }
    #expect(places.count > 40)
  }

  @Test func theLastAreRemembered() {
    var packets = Self.packets(seed: 1)
    for number in UInt64(0)..<100 { packets.add(number) }
    #expect(packets.numbers == Array(84..<100))
  }

  private static let rows: [([UInt64], Bool)] = [
    ([11], false), ([10], true), ([5], true), ([4], false), ([3], true), ([1], true), ([0], false), ([], false),
    ([4, 0, 2], true),
  ]

  /// Acknowledgements of 10 to 5 and 3 to 1.
  @Test(arguments: rows)
  func anAcknowledgementIsLookedThrough(_ unsent: [UInt64], _ isCovered: Bool) {
    let payload = Wire.quic(2, 10, 0, 1, 5, 0, 2) + [1]
    payload.withUnsafeBytes { bytes in
      var frames = GuardedFrames(bytes, unsent: unsent)
      while frames?.next() != nil {}
      #expect(frames?.acknowledgesUnsent == isCovered && frames?.largestAcknowledged == 10)
      #expect(frames?.tally == FrameBudget.Tally(control: 1, data: 0, ranges: 1))
    }
  }

  /// What the library passes over may have any number, and would move the one by which those of ours are expanded.
  @Test func theFirstAcknowledgementCounts() {
    let payload = Wire.quic(2, 10, 0, 0, 0) + Wire.quic(2, 1 << 60, 0, 0, 0) + Wire.quic(2, 4, 0, 0, 0)
    payload.withUnsafeBytes { bytes in
      var frames = GuardedFrames(bytes, unsent: [4])
      while frames?.next() != nil {}
      #expect(frames?.largestAcknowledged == 10 && frames?.acknowledgesUnsent == true)
    }
  }

  /// Ranges that reach below 0 are the library's to refuse.
  @Test(arguments: [
    Wire.quic(2, 3, 0, 0, 4), Wire.quic(2, 3, 0, 1, 1, 1, 0), Wire.quic(2, 3, 0, 1, 0, Wire.largestVarint, 0),
  ])
  func rangesBelowNothingAreNoTrap(_ payload: [UInt8]) {
    payload.withUnsafeBytes { bytes in
      var frames = GuardedFrames(bytes, unsent: [0, 1])
      while frames?.next() != nil {}
      #expect(frames?.largestAcknowledged == 3)
    }
  }
}
