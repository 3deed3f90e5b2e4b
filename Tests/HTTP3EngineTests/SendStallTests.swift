import Testing

@testable import HTTP3Engine

/// A connection on which ngtcp2 sends no more data although the peer is there.
@Suite struct SendStallTests {
  /// Whether it is stalled at each second, with the deadline that many seconds later.
  private func answers(
    _ seconds: [UInt64], inFlight: (UInt64) -> UInt64 = { _ in 14_400 }, deadlineAfter: UInt64 = 45
  ) -> [Bool] {
    var stall = SendStall()
    return seconds.map {
      stall.isStalled(
        inFlight: inFlight($0), window: 12_000, deadline: Timestamp(nanoseconds: ($0 + deadlineAfter) * 1_000_000_000),
        at: Timestamp(nanoseconds: $0 * 1_000_000_000))
    }
  }

  @Test func whatStaysInFlightInAFullWindowIsAStall() {
    #expect(answers([1, 10, 16]) == [false, false, true])
  }

  @Test func aTimerThatRunsIsNone() {
    #expect(answers([1, 16], deadlineAfter: 14) == [false, false])
  }

  @Test func probesAndAcknowledgementsBeginAgain() {
    #expect(!answers(Array(1...100), inFlight: { 12_000 + $0 / 9 }).contains(true))
  }

  /// Probes at 1, 3, 7, 15, 31 and 63 s of an outage, and the application's own calls each second between them.
  @Test func anOutageIsNoneHoweverLong() {
    var stall = SendStall()
    var probes: UInt64 = 0
    for second in UInt64(1)...120 {
      let next = (UInt64(2) << probes) - 1
      if second >= next { probes += 1 }
      let deadline = (UInt64(2) << probes) - 1
      let isStalled = stall.isStalled(
        inFlight: 14_400 + probes * 2_400, window: 12_000, deadline: Timestamp(nanoseconds: deadline * 1_000_000_000),
        at: Timestamp(nanoseconds: second * 1_000_000_000))
      #expect(!isStalled, "at \(second) s, the next probe at \(deadline) s")
    }
    #expect(probes == 6)
  }

  @Test func aWindowWithRoomIsNone() {
    #expect(!answers(Array(1...100), inFlight: { _ in 38 }).contains(true))
  }
}
