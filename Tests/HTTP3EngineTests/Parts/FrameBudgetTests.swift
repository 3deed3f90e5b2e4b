import TestSupport
import Testing

@testable import HTTP3Engine

@Suite struct FrameBudgetTests {
  private static let start = Timestamp(nanoseconds: 1_000_000_000)

  private static func tally(_ payload: [UInt8]) -> FrameBudget.Tally {
    payload.withUnsafeBytes { bytes in
      var frames = GuardedFrames(bytes)
      while frames?.next() != nil {}
      return frames?.tally ?? FrameBudget.Tally()
    }
  }

  private static let padding = [UInt8](repeating: 0, count: 200)
  private static let manyPieces = Array([[UInt8]](repeating: Wire.quic(0x0a, 4, 1, then: [1]), count: 20).joined())
  private static let windows = Wire.quic(0x10, 9) + Wire.quic(0x11, 4, 9) + Wire.quic(2, 9, 0, 0, 0)
  private static let manyRanges = Wire.quic(2, 300, 0, 100, 0) + padding

  /// What a packet of these frames costs, itself included.
  private static let rows: [([UInt8], Int)] = [
    ([0, 0, 0], 1), ([1], 2), ([UInt8](repeating: 1, count: 1_000), 1_001),
    (Wire.quic(2, 9, 0, 0, 0), 1), (manyRanges, 2), (windows, 3), (manyPieces, 5),
    (Wire.quic(0x0a, 4, 2, then: [1, 2]), 1), (Wire.quic(0x0a, 4, 0), 2), (Wire.quic(0x0b, 4, 0), 1),
    (Wire.quic(0x08, 4, then: [1]), 1), (Wire.quic(0x08, 4), 2), (Wire.quic(0x31, 1, then: [7]), 1), ([0x30, 7], 1),
    (Wire.quic(6, 0, 1, then: [7]), 1), (Wire.quic(6, 0, 0), 2),
  ]

  @Test(arguments: rows) func framesWithoutDataCost(_ payload: [UInt8], _ cost: Int) {
    #expect(Self.tally(payload).cost == cost)
  }

  @Test func aBurstIsAllowedAndThenAThousandASecond() {
    var budget = FrameBudget()
    let nothing = FrameBudget.Tally()
    let atOnce = (0..<20_000).count { _ in budget.spend(nothing, at: Self.start) }
    #expect(atOnce == FrameBudget.burst)
    let later = (0..<20_000).count { _ in budget.spend(nothing, at: Self.start + .seconds(1)) }
    #expect(later == FrameBudget.perSecond)
  }

  /// One packet is lost, and of all behind it nothing is in order.
  @Test(arguments: [1 << 20, 64 << 20] as [UInt64]) func aWindowBehindAGapIsNoFlood(_ window: UInt64) {
    var budget = FrameBudget(window: window)
    let piece = FrameBudget.Tally(control: 0, data: 1, ranges: 0)
    let accepted = (0..<Int(window / 1_200)).count { _ in budget.spend(piece, at: Self.start) }
    #expect(accepted == Int(window / 1_200))
    var unlimited = FrameBudget(window: .max)
    #expect(unlimited.spend(piece, at: Self.start) == true)
  }

  /// Clients that answer more than any known one does: each of our datagrams by itself, with windows beside it; each piece of
  /// an upload in a packet of its own; and tiny ones.
  @Test func whoTakesOrSendsDataIsNeverLeft() {
    let answer = FrameBudget.Tally(control: 2, data: 0, ranges: 1)
    var download = FrameBudget()
    for _ in 0..<100_000 {
      download.didSendData()
      #expect(download.spend(answer, at: Self.start) == true)
    }
    var upload = FrameBudget()
    for number in 0..<100_000 {
      #expect(upload.spend(FrameBudget.Tally(control: 0, data: 1, ranges: 1), at: Self.start) == true)
      upload.didReceive(byteCount: number % 2 == 0 ? 1_200 : 1)
    }
  }
}
