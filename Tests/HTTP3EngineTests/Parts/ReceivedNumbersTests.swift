import TestSupport
import Testing

@testable import HTTP3Engine

@Suite struct ReceivedNumbersTests {
  @Test func aCopyIsNoted() {
    var numbers = ReceivedNumbers()
    for number: UInt64 in [0, 2, 1, 5, 3] { #expect(numbers.insert(number) == true) }
    for number: UInt64 in [0, 1, 2, 3, 5] { #expect(numbers.insert(number) == false) }
    #expect(numbers.insert(4) == true)
  }

  /// Also a peer that leaves out 2^31 numbers with each packet costs no more than another.
  @Test func whatIsTooOldToTellCountsAsACopy() {
    var numbers = ReceivedNumbers()
    var number: UInt64 = 7
    for _ in 0..<10_000 {
      #expect(numbers.insert(number) == true)
      number += 1 << 31
    }
    let greatest = number - 1 << 31
    #expect(numbers.insert(greatest - ReceivedNumbers.window) == false)
    #expect(numbers.insert(greatest - ReceivedNumbers.window + 1) == true)
    #expect(numbers.insert(greatest - ReceivedNumbers.window + 1) == false)
  }

  /// Against a set, with gaps, late packets and copies at random.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func agreesWithASet(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var numbers = ReceivedNumbers()
    var seen: Set<UInt64> = []
    var greatest: UInt64 = 5_000
    for _ in 0..<5_000 {
      let number = greatest + UInt64.random(in: 0...40, using: &random) - UInt64.random(in: 0...1_200, using: &random)
      let isNew =
        seen.isEmpty || number > greatest || (greatest - number < ReceivedNumbers.window && !seen.contains(number))
      #expect(numbers.insert(number) == isNew, "seed \(seed), \(number) behind \(greatest)")
      greatest = seen.isEmpty ? number : max(greatest, number)
      if isNew { seen.insert(number) }
    }
  }

  private static let rows: [(UInt64, Int, UInt64, UInt64)] = [
    (0x9b32, 2, 0xa82f_30ea, 0xa82f_9b32), (0, 1, 0xff, 0x100), (0xff, 1, 0x100, 0xff), (3, 4, 9, 3),
  ]

  /// The first row is RFC 9000 § A.3's own.
  @Test(arguments: rows)
  func numbersAreExpanded(_ truncated: UInt64, _ length: Int, _ greatest: UInt64, _ number: UInt64) {
    #expect(ReceivedNumbers.expanded(truncated, length: length, behind: greatest) == number)
    #expect(ReceivedNumbers.expanded(7, length: 1, behind: nil) == 7)
  }

  @Test func aHeaderEndsInTheNumber() {
    var numbers = ReceivedNumbers()
    func insert(_ header: [UInt8]) -> Bool { header.withUnsafeBytes { numbers.insert(header: $0) } }
    let isNew = [
      insert([0x40, 9, 9, 1]), insert([0x40, 8, 8, 1]), insert([0x41, 9, 9, 0, 2]), insert([0x40, 9, 2]), insert([]),
    ]
    #expect(isNew == [true, false, true, false, false])
  }
}
