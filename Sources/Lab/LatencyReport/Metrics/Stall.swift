/// A time in which a stream should have had its next in-order event and did not.
struct Stall: Equatable {
  var stream: Int
  /// The time at which the next event would have come, had the gap been the schedule's; nanoseconds.
  var from: Int64
  /// The time at which it arrived, or the run's end.
  var to: Int64

  var milliseconds: Double { RunTimes.milliseconds(from: from, to: to) }

  /// The stalls of a run that are longer than `minimum`, by stream and time.
  ///
  /// A gap between two in-order events counts beyond the gap that the schedule has between them, so that a pause in
  /// the schedule is no stall and neither is a constant lateness. Before a stream's first event the time counts from
  /// when it was due at the client; after the last that came, while others are due, until the run's end.
  static func all(in run: RunTimes, longerThan minimum: Double) -> [Stall] {
    run.streams.flatMap { stream, events in
      all(of: events, stream: stream, in: run).filter { $0.milliseconds > minimum }
    }
  }

  private static func all(of events: [EventRecord], stream: Int, in run: RunTimes) -> [Stall] {
    guard let first = events.first else { return [] }
    var stalls: [Stall] = []
    var arrival = first.scheduled &+ Int64(clampingNanoseconds: run.oneWayDelayMilliseconds)
    var scheduled = first.scheduled
    var missing: Int64?
    for event in events {
      guard let received = event.received else {
        missing = missing ?? event.scheduled
        continue
      }
      stalls.append(
        Stall(stream: stream, from: arrival &+ ((missing ?? event.scheduled) &- scheduled), to: received))
      arrival = max(arrival, received)
      scheduled = event.scheduled
      missing = nil
    }
    if let missing { stalls.append(Stall(stream: stream, from: arrival &+ (missing &- scheduled), to: run.end)) }
    return stalls
  }
}

extension Int64 {
  /// Milliseconds as whole nanoseconds; what is no number is 0 and what is too large the largest.
  init(clampingNanoseconds milliseconds: Double) {
    let nanoseconds = (milliseconds * 1_000_000).rounded()
    self = nanoseconds.isNaN ? 0 : Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
  }
}
