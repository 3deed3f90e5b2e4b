/// One event of a stream.
package struct EventRecord: Codable, Hashable, Sendable {
  package var stream: Int
  /// Counted from 0 in each stream.
  package var sequence: Int
  /// The time at which the schedule, made before the run, wanted it written.
  package var scheduled: Int64
  /// The time at which the server wrote it; nil where that is unknown because the event never arrived.
  package var written: Int64?
  /// The time at which the client had parsed it; nil: it never arrived.
  package var received: Int64?

  package init(stream: Int, sequence: Int, scheduled: Int64, written: Int64?, received: Int64?) {
    self.stream = stream
    self.sequence = sequence
    self.scheduled = scheduled
    self.written = written
    self.received = received
  }
}
