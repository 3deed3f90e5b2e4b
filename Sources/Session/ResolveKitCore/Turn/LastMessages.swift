/// The session's last messages: the one that a retry repeats, and those at the end of the backend's history.
struct LastMessages: Equatable, Sendable {
  /// One of these, or none, is the session's last message as the backend has it; nil where that is not known. They are the
  /// last that is known to have arrived, and those that were sent after it.
  private(set) var words: [String]?
  /// The last message, if its turn ended here without an answer; nil while a turn is in flight.
  private(set) var left: LeftMessage?

  // MARK: Words

  /// The history, or a journal, says what came last.
  mutating func know(_ words: [String]?) { self.words = words }

  /// A message is taken.
  mutating func begin(_ message: OutgoingMessage, after earlier: [String]?) {
    left = nil
    words = earlier.map { $0 + [message.text] }
    if words?.count ?? 0 > TurnPolicy.maximumLastWords { words = nil }
  }

  /// The message is known to have arrived.
  mutating func arrived(_ message: OutgoingMessage) { words = [message.text] }

  // MARK: The message that was left

  mutating func restore(_ left: LeftMessage?) { self.left = left }

  /// Another session knows nothing of these.
  mutating func leaveSession() {
    words = nil
    left?.earlier = nil
    switch left?.arrival {
    case .unknown, .running: left?.arrival = .no
    case .no, .ended, nil: break
    }
  }

  /// The turn in flight has ended here; what a retry would take up is kept.
  mutating func leave(_ left: LeftMessage, _ status: TurnResult.Status, _ effects: inout TurnEffects) {
    guard status != .complete else { return self.left = nil }
    self.left = left
    switch left.arrival {
    case .no: notSent(&effects)
    // The fate of one that is stopped while it is on its way is in the answer.
    case .unknown: if status == .failed { effects.emit(.showDelivery(left.message, .unknown)) }
    case .running, .ended: break
    }
  }

  /// The backend has refused a message that was left while it was on its way: nothing of it is to be waited for.
  mutating func refused(requestID: String, _ effects: inout TurnEffects) {
    if left?.message.requestID == requestID { notSent(&effects) }
  }

  private mutating func notSent(_ effects: inout TurnEffects) {
    guard let message = left?.message else { return }
    left?.arrival = .no
    words = left?.earlier
    effects.remember(.leftMessage(requestID: message.requestID, .no))
    effects.emit(.showDelivery(message, .notSent))
  }

  /// The backend has taken the message, and runs its turn. The answer to a post may come behind the turn's end.
  mutating func accepted(requestID: String, turnID: String, _ effects: inout TurnEffects) {
    guard let left, left.message.requestID == requestID, left.arrival != .ended else { return }
    learn(.running(turnID: turnID), &effects)
  }

  /// Takes the fate of the message that was left; nil: it has its answer.
  mutating func learn(_ arrival: LeftMessage.Arrival?, _ effects: inout TurnEffects) {
    guard let known = left, known.arrival != arrival else { return }
    effects.remember(.leftMessage(requestID: known.message.requestID, arrival))
    if let arrival { left?.arrival = arrival } else { left = nil }
  }

  /// Takes an event while no turn is in flight: it may belong to the message that was left.
  ///
  /// - Parameter isShown: whether an answer of its turn is shown.
  mutating func receive(_ envelope: ResolveKitEnvelope, isShown: Bool, _ effects: inout TurnEffects) {
    guard let reference = left?.reference, reference.owns(envelope) else { return }
    switch envelope.type {
    // The answer is shown, and there is nothing to retry; that of a turn that the user ended is in the history.
    case ResolveKitEventType.turnComplete where isShown:
      learn(nil, &effects)
    case ResolveKitEventType.error where !ResolveKitServerErrorPayload(payload: envelope.payload).isSuperseded,
      ResolveKitEventType.sessionEscalated:
      learn(.ended, &effects)
    default:
      learn(.running(turnID: envelope.turnID ?? reference.turnID), &effects)
    }
  }
}
