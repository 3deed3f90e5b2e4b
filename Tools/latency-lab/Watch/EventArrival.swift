/// An event that came, as a client process reports it while it runs: four numbers on a line.
struct EventArrival: Hashable, Sendable {
  var stream: Int
  var sequence: Int
  /// Due and arrival times, in nanoseconds of `CLOCK_MONOTONIC`.
  var scheduled: Int64
  var received: Int64

  init(stream: Int, sequence: Int, scheduled: Int64, received: Int64) {
    self.stream = stream
    self.sequence = sequence
    self.scheduled = scheduled
    self.received = received
  }

  /// nil for a line that is none of ``line``.
  init?(_ line: String) {
    let numbers = line.split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 4, let stream = numbers[0].flatMap({ Int(exactly: $0) }),
      let sequence = numbers[1].flatMap({ Int(exactly: $0) }), let scheduled = numbers[2], let received = numbers[3],
      stream >= 0, sequence >= 0
    else { return nil }
    self.init(stream: stream, sequence: sequence, scheduled: scheduled, received: received)
  }

  var line: String { "\(stream) \(sequence) \(scheduled) \(received)" }
}
