import LatencyReport
import Testing

@Suite struct StallMetricsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var latencies: [Double?]
    var counts: [Double]
    var longest: Double
    var total: Double
  }

  static let rows = [
    Row(testDescription: "steady", latencies: [25, 26, 25], counts: [0, 0, 0], longest: 0, total: 0),
    Row(
      testDescription: "a constant lateness is one stall, of the first event", latencies: [325, 325, 325],
      counts: [1, 1, 0], longest: 300, total: 300),
    Row(
      testDescription: "a stall that catches up counts once", latencies: [25, 325, 305, 285, 265, 25],
      counts: [1, 1, 0], longest: 300, total: 300),
    Row(
      testDescription: "exactly the threshold is none", latencies: [25, 125, 105, 85, 65, 45], counts: [0, 0, 0],
      longest: 0, total: 0),
    Row(
      testDescription: "two of different length", latencies: [25, 176, 156, 136, 116, 96, 76, 56, 36, 25, 726],
      counts: [2, 1, 1],
      longest: 701, total: 701),
    Row(
      testDescription: "missing to the end of the run", latencies: [25, 25, nil, nil], counts: [1, 1, 1],
      longest: 935, total: 935),
    Row(
      testDescription: "a missing one in the middle is waited for", latencies: [25, nil, 325], counts: [1, 1, 0],
      longest: 320, total: 320),
    Row(testDescription: "nothing at all", latencies: [nil, nil], counts: [1, 1, 1], longest: 975, total: 975),
  ]

  @Test(arguments: rows) func stallsAreGapsBeyondTheSchedule(_ row: Row) {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: row.latencies), ended: 1000))
    #expect([values[.stalls100], values[.stalls200], values[.stalls500]] == row.counts)
    #expect(isNear(values[.stallLongest], row.longest))
    #expect(isNear(values[.stallTime200], row.total))
  }

  @Test func aPauseInTheScheduleIsNoStall() {
    let events = [
      Sample.event(0, due: 0, latency: 25), Sample.event(1, due: 3000, latency: 25),
      Sample.event(2, due: 6000, latency: 275),
    ]
    let values = Sample.values(Sample.client(events: events, ended: 7000))
    #expect(values[.stalls200] == 1)
    #expect(isNear(values[.stallLongest], 250))
  }

  @Test func theShareIsOfAllStreamsDurations() {
    // Each stream lasts 1 000 ms; one stalls for 300 of them.
    let events = (0..<2).flatMap { stream in
      (0...50).map { place in
        let held = stream == 0 && (10..<25).contains(place)
        return Sample.event(
          place, stream: stream, due: Double(place) * 20, latency: held ? 325 - Double(place - 10) * 20 : 25)
      }
    }
    let values = Sample.values(Sample.client(events: events, ended: 2000))
    #expect(isNear(values[.stallTime200], 300))
    #expect(isNear(values[.stallShare100], 15) && isNear(values[.stallShare200], 15))
    #expect(values[.stallShare500] == 0)
    #expect(isNear(values[.stallRatio], 15))
  }

  /// Two events of ten come 30 ms late in a stream of 200 ms: no stall, and 60 ms of waiting.
  @Test func theRatioCountsEveryWait() {
    let latencies = (0...10).map { $0 == 3 || $0 == 7 ? 55.0 : 25 }
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: latencies)))
    #expect(values[.stallShare100] == 0)
    #expect(isNear(values[.stallRatio], 30))
  }

  @Test func withoutEventsThereIsNoStall() {
    #expect(Sample.values(Sample.client(events: []))[.stalls200] == nil)
  }
}
