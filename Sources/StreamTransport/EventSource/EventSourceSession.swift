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
  /// What one chunk brought and its reader has not asked for; in reverse order.
  private var pending: [EventSourceUpdate] = []
  /// Thrown when all that is pending was delivered.
  private var failure: EventSourceError?
  private var parser: EventStreamParser
  private var cursor: EventCursor
  private var backoff: Backoff
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
    generator = configuration.makeGenerator()
  }

  func next() async throws -> EventSourceUpdate? {
    do {
      while true {
        if let update = pending.popLast() { return update }
        if let failure { throw failure }
        switch state {
        case .waiting(let delay):
          if delay > .zero { try await configuration.clock.sleep(delay) }
          try Task.checkCancellation()
          attempt += 1
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
      throw error
    }
  }

  private func open() async throws -> EventSourceUpdate? {
    // What was delivered is dealt with by now, so its id may be sent.
    cursor.advance(to: parser.lastEventID)
    let outcome = try await opener.open(EventSourceAttempt(lastEventID: cursor.id, number: attempt), cursor)
    switch outcome {
    case .stream(let stream):
      parser.restart()
      state = .streaming(stream)
      return .opened(stream.connection)
    case .noContent:
      logger.debug("event source ends with status 204")
      state = .ended
      return nil
    case .refused(let error, let retryAfter):
      return try await disconnect(error, .refused(retryAfter: retryAfter))
    }
  }

  private func read(_ stream: EventSourceStream) async throws -> EventSourceUpdate? {
    let chunk: [UInt8]?
    do throws(EventSourceError) {
      chunk = try await stream.next()
    } catch {
      try Task.checkCancellation()
      return try await disconnect(error, .lost(uptime: stream.uptime))
    }
    try Task.checkCancellation()
    guard let chunk else { return try await disconnect(.ended, .clean(uptime: stream.uptime)) }
    parse(chunk)
    if failure != nil { stream.cancel() }
    return nil
  }

  private func parse(_ chunk: [UInt8]) {
    let arrivedAt = TransportClock.monotonicNanoseconds()
    var updates: [EventSourceUpdate] = []
    var retry: Int?
    do throws(EventStreamError) {
      try parser.parse(chunk.span) { item in
        switch item {
        case .event(let event): updates.append(.event(event, arrivedAt: arrivedAt))
        case .comment(let text): updates.append(.comment(text))
        case .idCommitted(let id): updates.append(.idCommitted(id))
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
    // Else the next attempt would wait on the same dead connection.
    if error.isSilence { await opener.transport.retireConnection() }
    let delay = backoff.delay(after: end, using: &generator)
    state = .waiting(delay)
    logger.debug("event source disconnected", metadata: ["reason": "\(error)", "retry_in": "\(delay)"])
    if case .clean = end { return .disconnected(reason: error, isClean: true, retryIn: delay) }
    return .disconnected(reason: error, isClean: false, retryIn: delay)
  }
}
