import LatencyReport
import Testing

/// Pauses of readers at five and ten events a second, who take 200 and 100 ms for an event.
@Suite struct ReaderMetricsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Milliseconds between two events of the schedule.
    var gap: Double
    var latencies: [Double?]
    /// Pauses and their time in milliseconds, of the reader at five events a second and of the one at ten.
    var slow: (count: Double, time: Double)
    var fast: (count: Double, time: Double)
  }

  static let rows = [
    Row(
      testDescription: "events that come faster than they are read hide a delay", gap: 20,
      latencies: Array(repeating: 25, count: 20) + [325, 305] + Array(repeating: 285, count: 10), slow: (0, 0),
      fast: (0, 0)),
    Row(
      testDescription: "a delay of the second event is felt by the reader who has nothing else", gap: 20,
      latencies: [25, 325, 305, 285], slow: (1, 120), fast: (1, 220)),
    Row(
      testDescription: "a first event that is late delays the start alone", gap: 20, latencies: [725, 705, 685],
      slow: (0, 0), fast: (0, 0)),
    Row(
      testDescription: "a stream that is slower than both readers makes no pause by itself", gap: 500,
      latencies: [25, 25, 25], slow: (0, 0), fast: (0, 0)),
    Row(
      testDescription: "in a slow stream each late event is a pause", gap: 500, latencies: [25, 85, 25, 125],
      slow: (2, 160), fast: (2, 160)),
    Row(
      testDescription: "less than a millisecond is none", gap: 500, latencies: [25, 25.9, 25], slow: (0, 0),
      fast: (0, 0)),
    Row(
      testDescription: "an event that never came is left out where a later one came", gap: 20,
      latencies: [25, nil, 25, 25], slow: (0, 0), fast: (0, 0)),
    Row(
      testDescription: "what never comes is waited for until the run's end, at 1 000 ms", gap: 20,
      latencies: [25, 25, nil, nil], slow: (1, 575), fast: (1, 775)),
    Row(
      testDescription: "so is a stream of which nothing comes", gap: 20, latencies: [nil, nil], slow: (1, 975),
      fast: (1, 975)),
  ]

  @Test(arguments: rows) func aReaderPausesWhereTheNextEventIsNotThere(_ row: Row) {
    let events = Sample.stream(latencies: row.latencies, every: row.gap)
    let values = Sample.values(Sample.client(events: events, ended: 1000))
    #expect(values[.readerPauses5] == row.slow.count && isNear(values[.readerPauseTime5], row.slow.time))
    #expect(values[.readerPauses10] == row.fast.count && isNear(values[.readerPauseTime10], row.fast.time))
  }

  @Test func allStreamsHaveReadersOfTheirOwn() {
    let events = (0..<3).flatMap { Sample.stream($0, latencies: [25, $0 == 1 ? 25 : 325, 305]) }
    let values = Sample.values(Sample.client(events: events))
    #expect(values[.readerPauses5] == 2 && isNear(values[.readerPauseTime5], 240))
  }

  @Test func withoutEventsThereIsNoReader() {
    #expect(Sample.values(Sample.client(events: []))[.readerPauses5] == nil)
  }
}
