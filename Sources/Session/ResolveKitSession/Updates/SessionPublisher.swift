import Foundation
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// Publishes what happens in a session to the readers of its updates and to the log: each message once, and the request for a
/// rating when it is due.
struct SessionPublisher {
  private let hub: UpdateHub
  private let logger: Logger
  private let clock: TransportClock
  private var shownMessages = ShownMessages()
  private var feedback = FeedbackPrompt()

  init(_ hub: UpdateHub, clock: TransportClock, logger: Logger) {
    self.hub = hub
    self.clock = clock
    self.logger = logger
  }

  func send(_ update: ResolveKitRuntimeUpdate) { hub.send(update) }

  /// Returns when the readers have room for more updates.
  func room() async { await hub.room() }

  /// Ends what was bound to a session.
  ///
  /// - Parameter takenUpAt: see ``FeedbackPrompt``.
  mutating func leaveSession(takenUpAt: Date?) {
    shownMessages = ShownMessages()
    withdrawFeedback()
    feedback = FeedbackPrompt(takenUpAt: takenUpAt)
  }

  // MARK: Turns

  /// - Parameter arrivedAt: in nanoseconds of CLOCK_MONOTONIC.
  func publish(_ envelope: ResolveKitEnvelope, id: String?, arrivedAt: MonotonicNanoseconds) {
    hub.send(
      .event(
        ResolveKitAppliedEvent(
          eventID: id ?? "", type: envelope.type, turnID: envelope.turnID, arrivedAt: arrivedAt,
          payload: envelope.payload, argumentsText: envelope.argumentsText)))
  }

  mutating func publish(_ result: TurnResult) {
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
    feedback.turnEnded(result.status == .complete)
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

  mutating func show(_ messages: [HistoryMessage]) { show(messages.map(\.chatMessage)) }

  mutating func show(_ messages: [ResolveKitChatMessage]) {
    for message in messages {
      shownMessages.insert(message.id)
      hub.send(.message(message))
    }
  }

  /// A person's message, unless the history has shown it already.
  mutating func showHuman(_ messageID: String?, _ text: String, newID: @autoclosure () -> String) {
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

  mutating func messageSent() {
    feedback.messageSent()
    withdrawFeedback()
  }

  // MARK: Feedback

  /// Asks for a rating now, or calls `later` when it is due.
  mutating func requestFeedback(
    immediate: Bool, sentAt timestamp: String?, later: @escaping @Sendable () async -> Void
  ) {
    switch feedback.step(immediate: immediate, sentAt: timestamp.flatMap { Date(contractTime: $0) }) {
    case .ignore: return
    case .showNow: showFeedback()
    case .showAfterDelay: feedback.wait(by: clock, then: later)
    }
  }

  mutating func showFeedback() {
    feedback.shown()
    hub.send(.feedback(isRequested: true))
  }

  mutating func withdrawFeedback() {
    if feedback.withdraw() { hub.send(.feedback(isRequested: false)) }
  }

  mutating func dismissFeedback() {
    feedback.dismissed()
    withdrawFeedback()
  }

  mutating func feedbackSubmitted() { feedback.submitted() }
}
