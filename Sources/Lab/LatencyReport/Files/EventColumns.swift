/// A run's events, a column for each of their fields; `RunFile` describes the form of times.
struct EventColumns: Codable {
  var stream: [Int] = []
  var sequence: [Int] = []
  var scheduled: [Int64] = []
  var written: [Int64?] = []
  var received: [Int64?] = []

  init(_ events: [EventRecord], start: Int64) {
    for event in events {
      stream.append(event.stream)
      sequence.append(event.sequence)
      scheduled.append(event.scheduled &- start)
      written.append(event.written.map { $0 &- event.scheduled })
      received.append(event.received.map { $0 &- event.scheduled })
    }
  }

  func rows(start: Int64) throws(FileError) -> [EventRecord] {
    guard Set([stream.count, sequence.count, scheduled.count, written.count, received.count]).count == 1 else {
      throw FileError("the columns of 'events' are of different lengths")
    }
    return stream.indices.map { row in
      let due = start &+ scheduled[row]
      return EventRecord(
        stream: stream[row], sequence: sequence[row], scheduled: due, written: written[row].map { due &+ $0 },
        received: received[row].map { due &+ $0 })
    }
  }
}
