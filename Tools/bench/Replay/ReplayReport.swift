/// The benchmark's answer.
struct ReplayReport: BenchmarkReport {
  var benchmark = "replay"
  var events: Int
  var turns: Int
  var rounds: Int
  /// Machine and journal, until the last byte is on the disk.
  var eventsPerS: Double
  /// The machine without a journal.
  var machineEventsPerS: Double
  var journalBytes: Int
  var reopenMs: Double

  var text: String {
    """
    \(events) events of \(turns) turns, median of \(rounds) rounds
    events_per_s \(Int(eventsPerS.rounded()))
    machine_events_per_s \(Int(machineEventsPerS.rounded()))
    journal_bytes \(journalBytes)
    reopen_ms \((reopenMs * 10).rounded() / 10)
    """
  }
}
