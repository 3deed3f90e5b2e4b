/// One atomic write: all effects of one event and its cursor, so that none is kept without the others.
package struct JournalRecord: Equatable, Sendable {
  /// Counts up by one within a file, so that a missing record is noticed.
  package var sequence: UInt64
  /// Milliseconds since 1970, by the clock on the wall: what outlives a restart of the machine.
  package var wallMilliseconds: UInt64
  /// The session's time, which the deadlines in the entries are given in.
  package var time: MonotonicNanoseconds
  package var entries: [JournalEntry]

  package init(
    sequence: UInt64, wallMilliseconds: UInt64, time: MonotonicNanoseconds, entries: [JournalEntry]
  ) {
    self.sequence = sequence
    self.wallMilliseconds = wallMilliseconds
    self.time = time
    self.entries = entries
  }

  package var isDurable: Bool { entries.contains(where: \.isDurable) }
}
