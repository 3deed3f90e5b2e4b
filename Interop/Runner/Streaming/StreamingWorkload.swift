/// The origin's output in a case: when each event of each stream is due, and how large it is.
struct StreamingWorkload: Hashable, Sendable {
  var streams = 1
  /// Events of each stream.
  var events: Int
  /// From one event to the next, or from one burst to the next.
  var everyMilliseconds: Double
  /// Events that are due at the same moment.
  var burst = 1
  /// A silence before the event of this place, counted from 0.
  var silence: Silence?
  /// Size of one event on the stream, all its lines included.
  var eventBytes = 200
  /// The event after which the origin breaks each stream's first response off.
  var abortsAfter: Int?

  struct Silence: Hashable, Sendable {
    var before: Int
    var milliseconds: Double
  }

  /// From the schedule's start to each event, in nanoseconds; the same for all streams.
  var offsets: [Int64] {
    (0..<events).map { event in
      let silence = silence.map { event >= $0.before ? $0.milliseconds : 0 } ?? 0
      return Int64(((Double(event / burst) * everyMilliseconds + silence) * 1e6).rounded())
    }
  }

  /// From the schedule's start to the last event.
  var milliseconds: Double { Double(offsets.last ?? 0) / 1e6 }

  /// Bytes of an event's data: what the origin pads it to, so that a damaged event is seen.
  func dataBytes(of event: Int) -> Int {
    // As "id: 17\ndata: …\n\n".
    eventBytes - "id: \(event)\ndata: \n\n".utf8.count
  }

  /// The plan that `latency-lab origin` serves. Streams end by themselves this long after the last event was due.
  func plan(graceMilliseconds: Double) -> Plan {
    Plan(
      offsetsNanoseconds: Array(repeating: offsets, count: streams),
      deadlineMilliseconds: milliseconds + graceMilliseconds, eventBytes: eventBytes, abortSequence: abortsAfter)
  }

  /// The file of `latency-lab origin --schedule`; what only its clients need is filled with what passes its check.
  struct Plan: Encodable, Hashable, Sendable {
    var origin = "https://server"
    var authorityFile = "-"
    var offsetsNanoseconds: [[Int64]]
    var leadMilliseconds = 0.0
    var deadlineMilliseconds: Double
    var eventBytes: Int
    var abortSequence: Int?
  }
}
