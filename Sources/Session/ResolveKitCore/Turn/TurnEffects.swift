/// The effects of an event, in order: the actions to perform, and the facts to keep before those that need them.
package struct TurnEffects: Equatable, Sendable {
  private(set) var actions: [TurnAction] = []
  private(set) var record: [JournalEntry] = []
  /// Over the machine's life.
  private(set) var statistics = TurnStatistics()

  mutating func emit(_ action: TurnAction) { actions.append(action) }

  mutating func note(_ note: TurnNote) {
    statistics.count(note)
    actions.append(.note(note))
  }

  /// Keeps a fact.
  mutating func remember(_ entry: JournalEntry) { record.append(entry) }

  mutating func countOpenedStream() { statistics.streamsOpened += 1 }

  /// Begins another event: what the one before brought about is forgotten.
  mutating func begin() {
    actions = []
    record = []
  }

  /// Ends the event: returns its actions, and leaves its record to be read.
  mutating func takeActions() -> [TurnAction] {
    defer { actions = [] }
    return actions
  }
}
