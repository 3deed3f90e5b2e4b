import Foundation
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The one event stream of the session, and what is published of it.
extension SessionDriver {
  func openStream(_ generation: Int, cursor: String?) {
    closeStream()
    guard let session else { return }
    let client = ResolveKitEventStreamClient(
      baseURL: configuration.baseURL, transport: transport, apiKeyProvider: configuration.apiKeyProvider,
      clock: configuration.clock, logger: logger)
    let stream = client.stream(
      eventsPath: session.eventsURL, cursor: cursor,
      capabilityProvider: { [weak self] in await self?.session?.chatCapabilityToken ?? "" }
    ).makeAsyncIterator()
    self.stream = stream
    streamTask = Task {
      var updates = stream
      do {
        while let update = try await updates.next() {
          self.report(update, generation: generation)
          // Asking for the next event says that this one is applied, so a slow reader holds up the stream.
          await self.hub.room()
          await self.journal?.room()
        }
        self.handle(
          .streamRefused(generation: generation, RequestFailure(message: "The server ended the stream for good.")))
      } catch {
        guard !Task.isCancelled else { return }
        var failure = Self.failure(error)
        failure.code = failure.code ?? updates.refusalCode
        if await self.follows(failure, generation: generation) { return }
        self.handle(.streamRefused(generation: generation, failure))
      }
    }
  }

  func closeStream() {
    streamTask?.cancel()
    streamTask = nil
    stream = nil
  }

  private func report(_ update: ResolveKitStreamUpdate, generation: Int) {
    switch update {
    case .connecting(let attempt): handle(.streamConnecting(generation: generation, attempt: attempt))
    case .opened(let connection):
      note(connection)
      handle(.streamOpened(generation: generation, at: now()))
    case .event(let event):
      handle(
        .streamEvent(
          StreamEvent(
            generation: generation, id: event.id, type: event.type, data: event.data,
            arrivedAt: sessionTime(event.arrivedAt))))
    case .disconnected(let reason, let isClean, let retryIn):
      if retryIn > .zero { nextTry = retryIn }
      handle(
        .streamEnded(generation: generation, isClean: isClean, reason: reason, resumesAtOnce: retryIn == .zero))
      nextTry = nil
    }
  }

  func publish(_ event: AppliedEvent) {
    hub.send(
      .event(
        ResolveKitAppliedEvent(
          eventID: event.eventID ?? "", type: event.envelope.type, turnID: event.envelope.turnID,
          arrivedAt: monotonicTime(event.arrivedAt), payload: event.envelope.payload,
          argumentsText: event.envelope.argumentsText)))
  }

  func show(_ delivery: ResolveKitMessageDelivery, of message: OutgoingMessage) {
    hub.send(.delivery(requestID: message.requestID, text: message.text, delivery))
  }

  func publish(_ result: TurnResult) {
    hub.send(
      .turn(
        ResolveKitFinishedTurn(
          turnID: result.turnID, status: Self.status(result.status), text: result.text,
          reason: result.failure?.description)))
  }

  private static func status(_ status: TurnResult.Status) -> ResolveKitFinishedTurn.Status {
    switch status {
    case .complete: .complete
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }

  /// A message that was not taken is a turn that failed before it began.
  func refuse(requestID: String, reason: String) {
    logger.notice("message refused", metadata: ["request_id": "\(requestID)", "reason": "\(reason)"])
    hub.send(.turn(ResolveKitFinishedTurn(turnID: nil, status: .failed, text: "", reason: reason)))
  }

  func publish(_ note: TurnNote) {
    switch note {
    case .poisonEvent(let id, let reason):
      logger.warning("\(note.line)")
      hub.send(.skippedEvent(id: id, reason: reason))
    case .gap, .idMismatch, .unanswerableCall, .textHealed, .refusedDecision: logger.warning("\(note.line)")
    case .duplicateEvent, .unknownEventType, .staleStream, .foreignCall, .repeatedCall, .lateOutcome, .retrying,
      .ignored:
      logger.info("\(note.line)")
    }
    hub.send(.note(note.line))
  }

  func show(_ messages: [HistoryMessage]) {
    for message in messages {
      remember(message.id)
      hub.send(.message(message.chatMessage))
    }
  }
}
