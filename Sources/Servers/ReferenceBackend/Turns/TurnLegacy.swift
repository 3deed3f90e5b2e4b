import ResolveKitCore

/// The remains of a turn whose process is gone: whether another can continue from there.
package struct TurnLegacy: Sendable {
  private let ending: TurnEnding?
  private let isTaken: Bool
  private let rounds: [ModelRound]
  private let last: StoredEvent?

  /// - Parameters:
  ///   - ending: how the turn ends, where that was decided.
  ///   - isTaken: whether a person has taken the session over.
  ///   - rounds: the rounds that were kept, oldest first.
  ///   - last: the turn's last event; nil where it said nothing.
  package init(ending: TurnEnding?, isTaken: Bool, rounds: [ModelRound], last: StoredEvent?) {
    self.ending = ending
    self.isTaken = isTaken
    self.rounds = rounds
    self.last = last
  }

  /// The way to end the turn; nil where it continues.
  package var abandonment: TurnEnding? {
    if let ending { return ending }
    if isTaken { return .abandoned(isTaken: true) }
    return isWaiting ? nil : .abandoned(isTaken: false)
  }

  /// Whether the turn waits for its tools' results: not where something was said behind the calls, which a model would say
  /// once more.
  private var isWaiting: Bool {
    guard let last, last.type == EventPayload.callType, let call = last.payload.objectValue?["call_id"]?.stringValue
    else { return false }
    return rounds.last?.calls.contains { $0.id == call } ?? false
  }
}
