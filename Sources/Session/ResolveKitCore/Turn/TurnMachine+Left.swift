// A message whose turn ended here without an answer.
extension TurnMachine {
  /// The turn in flight has ended here; what a retry would take up is kept.
  mutating func leave(_ ended: TurnState, _ status: TurnResult.Status) {
    guard status != .complete else { return left = nil }
    left = LeftMessage(message: ended.message, earlier: ended.earlier, arrival: ended.arrival)
    switch ended.arrival {
    case .no: notSent()
    // Of one that is stopped while it is on its way, the answer will tell.
    case .unknown: if status == .failed { emit(.showDelivery(ended.message, .unknown)) }
    case .running, .ended: break
    }
  }

  /// The backend has refused a message that was left while it was on its way: nothing of it is to be waited for.
  mutating func leftMessageRefused(_ requestID: String) {
    if abandoned.contains(where: { $0.requestID == requestID }) {
      abandoned.removeAll { $0.requestID == requestID }
      remember(.abandonedEnded(requestID: requestID, turnID: nil))
    }
    guard left?.message.requestID == requestID else { return }
    notSent()
  }

  private mutating func notSent() {
    guard let message = left?.message else { return }
    left?.arrival = .no
    lastWords = left?.earlier
    remember(.leftMessage(requestID: message.requestID, .no))
    emit(.showDelivery(message, .notSent))
  }

  /// Takes news of the message that was left; nil: it has its answer.
  mutating func learn(_ arrival: LeftMessage.Arrival?) {
    guard let known = left, known.arrival != arrival else { return }
    remember(.leftMessage(requestID: known.message.requestID, arrival))
    if let arrival { left?.arrival = arrival } else { left = nil }
  }

  /// An event of a turn that is not in flight may belong to the message that was left.
  mutating func hearLeftMessage(_ envelope: ResolveKitEnvelope) {
    guard turn == nil, let reference = left?.reference, reference.owns(envelope) else { return }
    switch envelope.type {
    // The answer is shown, and there is nothing to retry; that of a turn that the user ended is in the history.
    case ResolveKitEventType.turnComplete where !abandoned.contains { $0.owns(envelope) && !$0.isAnswerAwaited }:
      learn(nil)
    case ResolveKitEventType.error where !ResolveKitServerErrorPayload(payload: envelope.payload).isSuperseded,
      ResolveKitEventType.sessionEscalated:
      learn(.ended)
    default:
      learn(.running(turnID: envelope.turnID ?? reference.turnID))
    }
  }
}
