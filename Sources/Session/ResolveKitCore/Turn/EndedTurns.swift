/// The turns that are not in flight: those that ended here and that the backend may still run, those that have ended, and
/// the answers that the history has shown already. It says what a late event belongs to.
struct EndedTurns: Equatable, Sendable {
  /// Turns that have ended here, and that the backend may still run.
  private var abandoned: [TurnReference] = []
  private var finished = RecentIDs(capacity: TurnPolicy.maximumFinishedTurns)
  /// Answers that the adopted session's history has shown already, with their number.
  private var answersInHistory: [String: Int] = [:]

  /// Takes the turns that an earlier process left.
  mutating func restore(_ image: SessionImage) {
    abandoned = image.abandoned
    finished = image.finishedTurns
    answersInHistory = image.answersInHistory
  }

  /// Another session takes the place of this one.
  mutating func leaveSession() {
    abandoned = []
    answersInHistory = [:]
  }

  /// The turn that an event belongs to, which the backend may still run.
  func owner(of envelope: ResolveKitEnvelope) -> TurnReference? { abandoned.first { $0.owns(envelope) } }

  /// Whether an event belongs to a turn that the user ended, whose answer is not shown.
  func isCancelled(_ envelope: ResolveKitEnvelope) -> Bool {
    abandoned.contains { $0.owns(envelope) && !$0.isAnswerAwaited }
  }

  /// The answer to a call of a turn that has ended here.
  func refusal(turnID: String) -> String {
    let reference = abandoned.first { $0.turnID?.hasSameBytes(as: turnID) ?? false }
    return reference?.refusal ?? "The turn has ended"
  }

  func mayRunOn(requestID: String) -> Bool { abandoned.contains { $0.requestID == requestID } }

  func hasFinished(turnID: String) -> Bool { finished.contains(turnID) }

  /// Remembers a turn, which the backend may still run, until it ends there.
  mutating func abandon(_ reference: TurnReference, _ effects: inout TurnEffects) {
    abandoned.append(reference)
    if abandoned.count > TurnPolicy.maximumAbandonedTurns { abandoned.removeFirst() }
    effects.remember(.abandoned(reference))
  }

  /// The turn of a message continues here.
  mutating func takeUp(requestID: String) { abandoned.removeAll { $0.requestID == requestID } }

  /// The backend has named the turn of a message. Returns it; nil where it is none of these.
  mutating func name(requestID: String, _ turnID: String, _ effects: inout TurnEffects) -> TurnReference? {
    guard let index = abandoned.firstIndex(where: { $0.requestID == requestID }) else { return nil }
    abandoned[index].turnID = turnID
    effects.remember(.abandoned(abandoned[index]))
    return abandoned[index]
  }

  /// The backend has refused the message, so that it has become no turn.
  mutating func refused(requestID: String, _ effects: inout TurnEffects) {
    guard mayRunOn(requestID: requestID) else { return }
    takeUp(requestID: requestID)
    effects.remember(.abandonedEnded(requestID: requestID, turnID: nil))
  }

  /// One of these has ended on the backend too. Returns it; nil where the event belongs to none.
  mutating func ended(by envelope: ResolveKitEnvelope, _ effects: inout TurnEffects) -> TurnReference? {
    guard let index = abandoned.firstIndex(where: { $0.owns(envelope) }) else { return nil }
    let reference = abandoned.remove(at: index)
    let turnID = envelope.turnID ?? reference.turnID
    if let turnID { finished.insert(turnID) }
    effects.remember(.abandonedEnded(requestID: reference.requestID, turnID: turnID))
    return reference
  }

  /// A turn has ended here by its own word.
  mutating func finish(_ turnID: String) { finished.insert(turnID) }

  /// The answer is shown: an event that brings it again, under an id that nobody knows, shows nothing.
  mutating func countAnswer(_ text: String) { answersInHistory[text, default: 0] += 1 }

  /// Takes the answer of a turn that is not in flight, and shows it if it was not shown before.
  ///
  /// - Parameter isAwaited: whether it is one of the turns that ended here without their answer.
  mutating func answered(_ id: String, _ text: String, isAwaited: Bool, _ effects: inout TurnEffects) {
    guard finished.insert(id) || isAwaited else { return }
    if let count = answersInHistory[text], count > 0 {
      answersInHistory[text] = count - 1
      return effects.remember(.foreignTurn(id: id, text: text, isShown: false))
    }
    effects.remember(.foreignTurn(id: id, text: text, isShown: true))
    effects.emit(.showForeignAnswer(turnID: id, text: text))
  }
}
