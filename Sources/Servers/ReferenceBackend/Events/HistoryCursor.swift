/// The event that a client has read last: its number in the session, and its history, which has another event of the same
/// number where a backup was restored.
package struct HistoryCursor: Equatable, Sendable {
  package var id: EventID
  package var history: LogHistory

  package init(_ id: EventID, _ history: LogHistory = .first) {
    self.id = id
    self.history = history
  }

  package static let beginning = HistoryCursor(.beginning)

  /// Reads what a client gives as cursor: the event's number, and behind a period that of its history, unless it is the first;
  /// nil for anything else.
  package init?(text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let id = parts.first.flatMap({ EventID(cursor: $0) }) else { return nil }
    guard parts.count == 2 else {
      self.init(id)
      return
    }
    guard let number = EventID(cursor: parts[1])?.number, number > 0 else { return nil }
    self.init(id, LogHistory(number))
  }

  package var text: String { history == .first ? id.text : "\(id.text).\(history.number)" }
}
