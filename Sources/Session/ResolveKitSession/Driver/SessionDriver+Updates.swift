import Foundation
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// Publishing: to the readers of the updates, and to the log.
extension SessionDriver {
  func publish(_ state: ResolveKitConnectionState, attempt: Int, reason: String?) {
    hub.send(.connection(status.change(to: state, attempt: attempt, reason: reason)))
    guard status.isOver else { return }
    // Nothing is left to be renewed.
    renewal.cancel()
    // What was taken up has not met its backend: the next start reads it again.
    if machine.isRestored { journals.leave() }
  }

  func publish(_ envelope: ResolveKitEnvelope, id: String?, arrivedAt: MonotonicNanoseconds) {
    hub.send(
      .event(
        ResolveKitAppliedEvent(
          eventID: id ?? "", type: envelope.type, turnID: envelope.turnID, arrivedAt: clock.monotonicTime(arrivedAt),
          payload: envelope.payload, argumentsText: envelope.argumentsText)))
  }

  func publish(_ result: TurnResult) {
    let status: ResolveKitFinishedTurn.Status =
      switch result.status {
      case .complete: .complete
      case .failed: .failed
      case .cancelled: .cancelled
      }
    hub.send(
      .turn(
        ResolveKitFinishedTurn(
          turnID: result.turnID, status: status, text: result.text, reason: result.failure?.description,
          requestID: result.requestID)))
  }

  func publish(_ note: TurnNote) {
    switch note {
    case .poisonEvent(let id, let reason):
      // Observers learn of it from the update.
      logger.info("\(note.line)")
      hub.send(.skippedEvent(id: id, reason: reason))
    case .gap, .idMismatch, .unanswerableCall, .textHealed, .refusedDecision: logger.warning("\(note.line)")
    case .duplicateEvent, .unknownEventType, .staleStream, .foreignCall, .repeatedCall, .lateOutcome, .retrying,
      .ignored:
      logger.info("\(note.line)")
    }
    hub.send(.note(note.line))
  }

  func log(_ delivery: ResultDelivery, of key: ToolCallKey) {
    switch delivery {
    case .accepted: logger.debug("result accepted", metadata: ["call_id": "\(key.callID)"])
    case .deduplicated: logger.info("the server had the result already", metadata: ["call_id": "\(key.callID)"])
    case .refused(let failure):
      logger.warning("the result was refused: \(failure)", metadata: ["call_id": "\(key.callID)"])
    case .abandoned: logger.notice("the result was given up", metadata: ["call_id": "\(key.callID)"])
    }
  }

  // MARK: Messages

  /// Shows what a session comes with. A session that was taken up again has its first message in its history.
  func greet(_ session: ResolveKitSession) {
    if let localization = session.localization {
      hub.send(.localized(localization))
    } else {
      start { await $0.loadLocalization() }
    }
    guard !session.reusedActiveSession, let text = session.initialMessage, !text.isEmpty else { return }
    hub.send(.message(ResolveKitChatMessage(id: "initial-\(session.id)", role: .assistant, text: text)))
  }

  func show(_ messages: [HistoryMessage]) {
    for message in messages {
      shownMessages.insert(message.id)
      hub.send(.message(message.chatMessage))
    }
  }

  /// A person's message, unless the history has shown it already.
  func showHuman(_ messageID: String?, _ text: String) {
    if let messageID, !shownMessages.insert(messageID) { return }
    hub.send(.message(ResolveKitChatMessage(id: messageID ?? newID(), role: .humanAgent, text: text)))
  }

  func show(_ delivery: ResolveKitMessageDelivery, of message: OutgoingMessage) {
    hub.send(.delivery(requestID: message.requestID, text: message.text, delivery))
  }

  /// A message that was not taken is a turn that failed before it began.
  func refuse(requestID: String, reason: String) {
    logger.notice("message refused", metadata: ["request_id": "\(requestID)", "reason": "\(reason)"])
    hub.send(
      .turn(ResolveKitFinishedTurn(turnID: nil, status: .failed, text: "", reason: reason, requestID: requestID)))
  }

  // MARK: Feedback

  func requestFeedback(immediate: Bool, sentAt timestamp: String?) {
    switch feedback.step(immediate: immediate, sentAt: timestamp.flatMap { Date(contractTime: $0) }) {
    case .ignore: return
    case .showNow: showFeedback()
    case .showAfterDelay:
      feedback.wait(by: configuration.clock) { [weak self] in await self?.feedbackDelayEnded() }
    }
  }

  private func feedbackDelayEnded() {
    // Withdrawn between the end of the wait and this moment.
    guard !Task.isCancelled else { return }
    showFeedback()
  }

  private func showFeedback() {
    feedback.shown()
    hub.send(.feedback(isRequested: true))
  }

  func withdrawFeedback() {
    if feedback.withdraw() { hub.send(.feedback(isRequested: false)) }
  }
}
