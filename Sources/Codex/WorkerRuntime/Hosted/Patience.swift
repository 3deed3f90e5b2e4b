import EventLedger

/// The wait before the ledger is asked again: doubled with every failure in a row, with jitter, so that runtimes of one
/// database do not return together. Pure.
struct Patience: Sendable {
  private static let first = 250
  private static let longest = 8_000

  /// Failures in a row.
  private(set) var failures = 0

  /// The wait after one more failure.
  ///
  /// - Parameter jitter: from 0 to 1.
  mutating func failed(jitter: Double) -> Duration {
    failures = min(failures + 1, 64)
    let milliseconds = min(Self.first << min(failures - 1, 10), Self.longest)
    return .milliseconds(milliseconds + Int(Double(milliseconds / 2) * jitter))
  }

  mutating func succeeded() { failures = 0 }
}

extension LedgerError {
  /// Whether the same may succeed later.
  var isPassing: Bool {
    switch code {
    case .unavailable, .exhausted, .database: true
    case .fenced, .leased, .unknownStream, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid: false
    }
  }
}
