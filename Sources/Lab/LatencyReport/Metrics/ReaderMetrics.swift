/// A reader who takes events at an even pace, beginning with the first that arrives, and waits where the next one is not there.
struct PacedReader {
  /// Nanoseconds that an event is read for.
  let interval: Int64

  /// The reader's wait for each event, in nanoseconds; for the first, since `start`.
  func waits(from start: Int64, arrivals: [Int64]) -> [Int64] {
    var ready = start
    return arrivals.map { arrival in
      let wait = max(0, arrival &- ready)
      ready = ready &+ wait &+ interval
      return wait
    }
  }
}

/// The pauses of readers of a run's streams.
extension MetricValues {
  /// The shortest pause that counts: the smallest noise floor of an experiment.
  private static let shortestPause: Int64 = 1_000_000

  mutating func measureReading(_ run: RunTimes) {
    guard !run.streams.isEmpty else { return }
    for (rate, count, time) in [
      (Int64(5), Metric.readerPauses5, Metric.readerPauseTime5), (10, .readerPauses10, .readerPauseTime10),
    ] {
      let reader = PacedReader(interval: 1_000_000_000 / rate)
      let pauses = run.streams.flatMap { Self.pauses(of: reader, events: $0.events, in: run) }
      self[count] = Double(pauses.count)
      self[time] = pauses.reduce(0) { $0 + Double($1) / 1_000_000 }
    }
  }

  /// The reader's waits beyond those that the schedule makes by itself, in nanoseconds.
  ///
  /// An event that never came is left out where a later one came, and else waited for until the run's end.
  private static func pauses(of reader: PacedReader, events: [EventRecord], in run: RunTimes) -> [Int64] {
    let delay = Int64(clampingNanoseconds: run.oneWayDelayMilliseconds)
    let last = events.lastIndex { $0.received != nil } ?? -1
    let read = events.enumerated().filter { $0.element.received != nil || $0.offset > last }.map(\.element)
    guard let first = read.first else { return [] }
    // A first event that comes late is a longer time to the first event, and no pause; one that never comes is.
    let start = first.received ?? first.scheduled &+ delay
    let waits = reader.waits(from: start, arrivals: read.map { $0.received ?? run.end })
    let due = read.map { $0.scheduled &+ delay }
    let ideal = reader.waits(from: first.scheduled &+ delay, arrivals: due)
    return zip(waits, ideal).map { $0 &- $1 }.filter { $0 >= shortestPause }
  }
}
