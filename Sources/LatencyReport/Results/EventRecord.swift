/// One event of a stream.
package struct EventRecord: Codable, Hashable, Sendable {
  package var stream: Int
  /// Counted from 0 in each stream.
  package var sequence: Int
  /// When the schedule, made before the run, wanted it written.
  package var scheduled: Int64
  /// When the server wrote it; nil if it is not known because the event never came.
  package var written: Int64?
  /// When the client had parsed it; nil: it never came.
  package var received: Int64?

  package init(stream: Int, sequence: Int, scheduled: Int64, written: Int64?, received: Int64?) {
    self.stream = stream
    self.sequence = sequence
    self.scheduled = scheduled
    self.written = written
    self.received = received
  }
}
