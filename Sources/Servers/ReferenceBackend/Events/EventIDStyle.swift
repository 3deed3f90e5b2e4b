import EventLedger

/// The form of event ids. Clients must take them as they are: they mean nothing but their place in the log.
public enum EventIDStyle: String, CaseIterable, Sendable {
  /// `7`, as the contract's server writes them without Redis.
  case number
  /// `1795226429660-7`, as it writes them with Redis: milliseconds since 1970 and a number.
  case milliseconds

  func text(of event: StoredEvent) -> String {
    switch self {
    case .number: event.cursor.text
    case .milliseconds: "\(event.time.microseconds / 1_000)-\(event.cursor.text)"
    }
  }

  /// Reads what a client gives as cursor; nil for anything that this style never writes.
  package func cursor(_ text: some StringProtocol) -> HistoryCursor? {
    switch self {
    case .number: return HistoryCursor(text: text)
    case .milliseconds:
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, EventID(cursor: parts[0]) != nil else { return nil }
      return HistoryCursor(text: parts[1])
    }
  }
}
