import EventStream
import HTTPTypes
import Logging

/// One iteration of an event source; everything happens inside ``next()``, on behalf of its one reader.
actor EventSourceSession {
  private enum State {
    case waiting(Duration)
    case opening
    case streaming(EventSourceStream)
    case ended
  }

  private let opener: EventSourceOpener
  private let configuration: EventSourceConfiguration
  private let logger: Logger
  private var state = State.waiting(.zero)
  private var attempt = 0
  private var move = StreamMove<EventSourceStream>()
  /// Whether the stream's last event had an id, so that the cursor says all of what was delivered.
  private var isCursorCurrent = true
  /// The time until the next attempt, while it is waited for, and when it is over.
  private var pause: (task: Task<Void, any Error>, end: Duration)?
  private var attemptedAt = Duration.zero
  /// The time before which no haste makes the next attempt begin.
  private var earliestAttempt = Duration.zero
  private var isRestartOrdered = false
  /// The open stream while its next bytes are waited for.
  private var reading: EventSourceStream?
  /// Updates of one chunk that the reader has not asked for yet; in reverse order.
  private var pending: [EventSourceUpdate] = []
  /// Thrown when all that is pending was delivered.
  private var failure: EventSourceError?
  private var parser: EventStreamParser
  private var cursor: EventCursor
  private var backoff: Backoff
  private var gap: StreamGap
  private var generator: any RandomNumberGenerator & Sendable

  init(
    transport: any HTTPTransport, configuration: EventSourceConfiguration, logger: Logger,
    makeRequest: @escaping @Sendable (EventSourceAttempt) async throws -> EventSourceRequest
  ) {
    opener = EventSourceOpener(transport: transport, configuration: configuration, makeRequest: makeRequest)
    self.configuration = configuration
    self.logger = logger
    parser = EventStreamParser(limits: configuration.limits, lastEventID: configuration.lastEventID)
    cursor = EventCursor(id: configuration.lastEventID, sentAs: configuration.cursor)
    backoff = Backoff(configuration.backoff)
    gap = StreamGap(configuration.metrics.eventSource)
    generator = configuration.makeGenerator()
  }

  deinit { move.cancel() }

  func next() async throws -> EventSourceUpdate? {
    do {
      while true {
        if let update = pending.popLast() { return update }
        if let failure { throw failure }
        switch state {
        case .waiting(let delay) where delay > .zero:
          // A change of the wait meanwhile sets what is left of it.
          state = .waiting(.zero)
          try await wait(delay)
        case .waiting:
          try Task.checkCancellation()
          attempt += 1
          attemptedAt = configuration.clock.now()
          state = .opening
          return .connecting(attempt: attempt)
        case .opening:
          if let update = try await open() { return update }
        case .streaming(let stream):
          if let update = try await read(stream) { return update }
        case .ended:
          return nil
        }
      }
    } catch {
      state = .ended
      failure = nil
      move.stop()
      throw error
    }
  }

  /// Has the stream opened again at once, be it open or waited for; one that is being opened is new as it is.
  func restart() {
    switch state {
    case .waiting:
      state = .waiting(.zero)
      pause?.task.cancel()
      pause = nil
    case .streaming(let stream):
      isRestartOrdered = true
      stream.cancel()
    case .opening, .ended: break
    }
  }

  /// Has the next attempt begin as soon as it may, be its time waited for or about to be.
  func retryNow() {
    guard case .waiting(let delay) = state else { return }
    let now = configuration.clock.now()
    let rest = max(.zero, earliestAttempt - now)
    guard rest < pause.map({ $0.end - now }) ?? delay else { return }
    state = .waiting(rest)
    pause?.task.cancel()
  }

  private func wait(_ delay: Duration) async throws {
    let pause = Task { [clock = configuration.clock] in try await clock.sleep(delay) }
    self.pause = (pause, configuration.clock.now() + delay)
    defer { self.pause = nil }
    await withTaskCancellationHandler {
      _ = await pause.result
    } onCancel: {
      pause.cancel()
    }
  }

  private func open() async throws -> EventSourceUpdate? {
    // What was delivered is dealt with by now, so its id may be sent.
    advanceCursor()
    let outcome = try await opener.open(EventSourceAttempt(lastEventID: cursor.id, number: attempt), cursor)
    switch outcome {
    case .stream(let stream):
      return begin(stream)
    case .noContent:
      logger.debug("event source ends with status 204")
      state = .ended
      return nil
    case .refused(let error, let retryAfter):
      return try await disconnect(error, .refused(retryAfter: retryAfter))
    }
  }

  private func begin(_ stream: EventSourceStream) -> EventSourceUpdate {
    parser.restart()
    // A stream whose events have no ids cannot be asked for what a move would miss, however often it is opened.
    isCursorCurrent = isCursorCurrent || !cursor.isAtStart
    state = .streaming(stream)
    isRestartOrdered = false
    move.watchNew(watch(over: stream.connection))
    return .opened(stream.connection)
  }

  private func advanceCursor() {
    cursor.advance(to: parser.lastEventID)
  }

  private func read(_ stream: EventSourceStream) async throws -> EventSourceUpdate? {
    if move.isDue { startMove(from: stream) }
    reading = stream
    let result = await stream.result()
    reading = nil
    try Task.checkCancellation()
    if isRestartOrdered {
      isRestartOrdered = false
      // What came since comes again, behind the cursor.
      stream.cancel()
      return try await disconnect(.restarted, .lost(uptime: stream.uptime))
    }
    let isMoving = move.opening != nil
    if let new = await finishMove() {
      // What the old stream brought meanwhile comes again: the new one begins after what was dealt with.
      stream.cancel()
      pending = [begin(new)]
      return .disconnected(reason: .moved, isClean: true, retryIn: .zero)
    }
    if isMoving { move.watchAgain(watch(over: stream.connection)) }
    let chunk: [UInt8]?
    switch result {
    case .success(let bytes): chunk = bytes
    case .failure(let error):
      let uptime = stream.uptime
      return try await disconnect(
        error, error.isGracefulClose ? .closedGracefully(uptime: uptime) : .lost(uptime: uptime))
    }
    guard let chunk else { return try await disconnect(.ended, .clean(uptime: stream.uptime)) }
    parse(chunk)
    if failure != nil { stream.cancel() }
    return nil
  }

  private func parse(_ chunk: [UInt8]) {
    gap.received(at: configuration.clock.now())
    let arrivedAt = TransportClock.monotonicNanoseconds()
    var updates: [EventSourceUpdate] = []
    var retry: Int?
    var lastID = parser.lastEventID
    do throws(EventStreamError) {
      try parser.parse(chunk.span) { item in
        switch item {
        case .event(let event):
          isCursorCurrent = event.lastEventID != lastID
          lastID = event.lastEventID
          updates.append(.event(event, arrivedAt: arrivedAt))
        case .comment(let text): updates.append(.comment(text))
        case .idCommitted(let id):
          isCursorCurrent = true
          lastID = id
          updates.append(.idCommitted(id))
        case .retry(let milliseconds): retry = milliseconds
        case .unknownField: break
        }
      }
    } catch {
      failure = .limit(error)
    }
    if let retry { backoff.serverAsked(retryMilliseconds: retry) }
    updates.reverse()
    pending = updates
  }

  private func disconnect(_ error: EventSourceError, _ end: StreamEnd) async throws -> EventSourceUpdate {
    guard error.isWorthRetrying, !opener.isFinal(error) else { throw error }
    move.stop()
    // It may have been asked for while a move was ended.
    let isAtOnce = error.isResumedAtOnce || isRestartOrdered
    isRestartOrdered = false
    gap.disconnected(end)
    let delay = isAtOnce ? .zero : backoff.delay(after: end, using: &generator)
    earliestAttempt = max(
      attemptedAt + configuration.backoff.floor, configuration.clock.now() + (backoff.order ?? .zero))
    state = .waiting(delay)
    // Else the next attempt would wait on the same dead connection. Who asks for haste meanwhile shortens the wait.
    if error.isSilence { await opener.transport.retireConnection() }
    let retryIn = if case .waiting(let rest) = state { rest } else { delay }
    logger.debug("event source disconnected", metadata: ["reason": "\(error)", "retry_in": "\(retryIn)"])
    let isClean = if case .clean = end { true } else { false }
    return .disconnected(reason: error, isClean: isClean, retryIn: retryIn)
  }

  // MARK: Moving

  /// The old stream's events wait meanwhile.
  private static let moveLimit = Duration.seconds(3)

  private func watch(over connection: ConnectionInfo) -> StreamMove<EventSourceStream>.Watch {
    { [weak self, transport = opener.transport, clock = configuration.clock] pause in
      if pause > .zero { guard (try? await clock.sleep(pause)) != nil else { return } }
      guard (try? await transport.improvement(over: connection)) != nil else { return }
      await self?.improvementCame()
    }
  }

  private func improvementCame() {
    move.improvementCame()
    // The reader waits, so all that was delivered is dealt with; else it begins the move with its next call.
    if let reading { startMove(from: reading) }
  }

  private func startMove(from stream: EventSourceStream) {
    // Else what came since the cursor would come again, or be missing: later, perhaps.
    guard isCursorCurrent else { return }
    if move.opening == nil { advanceCursor() }
    move.begin { [opener, cursor, attempt] in
      let outcome = try? await opener.configuration.clock.withLimit(Self.moveLimit) {
        try await opener.open(EventSourceAttempt(lastEventID: cursor.id, number: attempt), cursor, isMove: true)
      }
      guard case .stream(let new) = outcome ?? nil else { return nil }
      // Wakes the reader.
      stream.cancel()
      return new
    }
  }

  /// The stream to continue with; nil when there is no move, or it failed and the old one stays.
  private func finishMove() async -> EventSourceStream? {
    guard let opening = move.opening else { return nil }
    defer { move.end() }
    return await withTaskCancellationHandler {
      await opening.value
    } onCancel: {
      opening.cancel()
    }
  }
}
