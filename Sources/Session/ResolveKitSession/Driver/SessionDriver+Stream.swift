import EventStream
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The session's event stream, and what is read in its place once a person has taken the session over.
extension SessionDriver {
  func openStream(_ generation: Int, cursor: String?) {
    stream.close()
    guard let session = session.current else { return }
    let client = ResolveKitEventStreamClient(
      baseURL: configuration.baseURL, transport: transport, apiKeyProvider: configuration.apiKeyProvider,
      clock: configuration.clock, logger: logger)
    let events = client.stream(
      eventsPath: session.eventsURL, cursor: cursor,
      capabilityProvider: { [weak self] in await self?.session.current?.chatCapabilityToken ?? "" }
    ).makeAsyncIterator()
    let wait = stream.wait(at: configuration.clock.now())
    stream.open(
      events,
      readBy: Task { [clock = configuration.clock] in
        if wait > .zero { guard (try? await clock.sleep(wait)) != nil else { return } }
        await self.read(events, generation: generation)
      })
  }

  private func read(_ stream: ResolveKitEventStream.Iterator, generation: Int) async {
    var updates = stream
    do {
      while let update = try await updates.next() {
        report(update, generation: generation)
        // Asking for the next event says that this one is applied, so a slow reader holds up the stream.
        await publisher.room()
        await journals.inUse?.room()
      }
      handle(
        .streamRefused(generation: generation, RequestFailure(message: "The server ended the stream permanently.")))
    } catch {
      guard !Task.isCancelled else { return }
      var failure = Self.failure(error)
      failure.code = failure.code ?? updates.refusalCode
      if await follows(Handover.Refusal(generation: generation, failure: failure)) { return }
      handle(.streamRefused(generation: generation, failure))
    }
  }

  private func report(_ update: EventSourceUpdate, generation: Int) {
    switch update {
    case .connecting:
      let attempt = stream.attempted(at: configuration.clock.now())
      handle(.streamConnecting(generation: generation, attempt: attempt))
    case .opened(let connection):
      stream.opened()
      status.take(connection)
      handle(.streamOpened(generation: generation, at: clock.now()))
    case .event(let event, let arrivedAt):
      handle(
        .streamEvent(
          StreamEvent(
            generation: generation, id: event.hasOwnID ? event.lastEventID : "", type: event.type, data: event.data,
            arrivedAt: clock.sessionTime(arrivedAt))))
    case .comment, .idCommitted: break
    case .disconnected(let reason, let isClean, let retryIn):
      status.setNextTry(retryIn > .zero ? retryIn : nil)
      handle(
        .streamEnded(
          generation: generation, isClean: isClean, reason: reason.description, resumesAtOnce: retryIn == .zero))
      status.setNextTry(nil)
    }
  }

  // MARK: A session that a person has taken over

  func escalate(_ reason: String) {
    if let session = session.current { handover.escalate(session.id) }
    publisher.send(.escalated(reason: reason))
  }

  /// Whether the refusal is of an escalated session; its history is read from now on, in the stream's task.
  private func follows(_ refusal: Handover.Refusal) async -> Bool {
    guard let session = session.current, handover.holdBack(refusal, of: session.id) else { return false }
    logger.info("the stream of the escalated session has ended; its history is read instead")
    while (try? await configuration.clock.sleep(Handover.historyInterval)) != nil, !Task.isCancelled {
      do {
        let messages = try await api.history(session: session)
        guard !Task.isCancelled else { break }
        for message in messages where message.role == "human_agent" { showHuman(message.id, message.content) }
      } catch {
        guard Self.failure(error).kind == .transient else { break }
      }
    }
    guard !Task.isCancelled else { return true }
    // The history is refused too.
    _ = handover.takeRefusal()
    return false
  }

  /// The user writes: the refusal that was held back takes its course, which is a new session.
  func endFollowing() {
    guard let refusal = handover.takeRefusal() else { return }
    stream.close()
    handle(.streamRefused(generation: refusal.generation, refusal.failure))
  }
}
