import Foundation

/// The benchmark's answer; the JSON names are the properties' in snake case.
struct ReplayReport: Encodable {
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

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

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
