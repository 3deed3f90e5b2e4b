import LatencyReport
import LinkModel
import Testing

@Suite struct OpeningMetricsTests {
  @Test func connectingCountsFromTheFirstRequest() {
    let values = Sample.values(Sample.client(events: [], requested: -500, connected: -439.5))
    #expect(isNear(values[.connect], 60.5))
    #expect(Sample.values(Sample.client(events: [], connected: nil))[.connect] == nil)
  }

  /// Of what is new the first counts, of what is open already the median.
  @Test func eachKindOfOpeningHasItsOwnTime() {
    let openings = [
      Sample.opening(.cold, stream: 0, requested: -500, firstEvent: -400),
      Sample.opening(.cold, stream: 5, requested: -400, firstEvent: -390),
      Sample.opening(.warm, stream: 1, requested: -400, firstEvent: -340),
      Sample.opening(.warm, stream: 2, requested: -400, firstEvent: -320),
      Sample.opening(.warm, stream: 3, requested: -400, firstEvent: -350),
      Sample.opening(.zeroRTT, stream: 4, requested: -10, firstEvent: 41),
    ]
    let values = Sample.values(Sample.client(events: [], openings: openings))
    #expect(isNear(values[.firstEventCold], 100))
    #expect(isNear(values[.firstEventWarm], 60))
    #expect(isNear(values[.firstEventZeroRTT], 51))
    #expect(values[.firstEventResumed] == nil)
  }

  @Test func anOpeningThatNeverCameCountsUntilTheEnd() {
    let openings = [Sample.opening(.cold, requested: -500, firstEvent: nil)]
    #expect(isNear(Sample.values(Sample.client(events: [], ended: 1000, openings: openings))[.firstEventCold], 1500))
  }

  @Test(arguments: [
    ("auto", "h1", 100.0 as Double?), ("auto-h2", "h2", 100), ("auto", "h3", nil), ("h1", "h1", nil), ("h3", "h3", nil),
  ])
  func onlyAnArmThatMayChooseFallsBack(_ row: (arm: String, spoken: String, expected: Double?)) {
    let values = Sample.values(Sample.client(events: [], spoken: row.spoken), arm: row.arm)
    #expect(isNear(values[.fallback], row.expected))
  }
}
