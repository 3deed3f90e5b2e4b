import Synchronization

/// A response that is an event stream, watched for silence; releasing it cancels the stream.
final class EventSourceStream: Sendable {
  let connection: ConnectionInfo
  private let body: ResponseBody
  private let clock: TransportClock
  private let idleTimeout: Duration
  private let openedAt: Duration
  private let watch: Watch
  private let watchdog: Task<Void, Never>

  /// Shared with the watchdog, which must not keep the stream alive.
  private final class Watch: Sendable {
    let state: Mutex<(lastByte: Duration, isExpired: Bool)>

    init(now: Duration) { state = Mutex((now, false)) }
  }

  init(_ response: TransportResponse, clock: TransportClock, idleTimeout: Duration) {
    connection = response.connection
    body = response.body
    self.clock = clock
    self.idleTimeout = idleTimeout
    let now = clock.now()
    openedAt = now
    let watch = Watch(now: now)
    self.watch = watch
    watchdog = Task { [body = response.body] in
      var wait = idleTimeout
      while true {
        do { try await clock.sleep(wait) } catch { return }
        let rest = watch.state.withLock { state -> Duration in
          // What came and is not read yet shows a slow reader, and not a silent server.
          if body.hasUnread { return idleTimeout }
          let rest = state.lastByte + idleTimeout - clock.now()
          if rest <= .zero { state.isExpired = true }
          return rest
        }
        guard rest > .zero else { return body.cancel() }
        wait = rest
      }
    }
  }

  deinit {
    watchdog.cancel()
    body.cancel()
  }

  /// Time since the response.
  var uptime: Duration { clock.now() - openedAt }

  func cancel() {
    watchdog.cancel()
    body.cancel()
  }

  /// The next bytes, nil at the graceful end.
  func result() async -> Result<[UInt8]?, EventSourceError> {
    do throws(EventSourceError) {
      return .success(try await next())
    } catch {
      return .failure(error)
    }
  }

  private func next() async throws(EventSourceError) -> [UInt8]? {
    do {
      var iterator = body.makeAsyncIterator()
      let bytes = try await iterator.next()
      if bytes == nil { watchdog.cancel() }
      watch.state.withLock { $0.lastByte = clock.now() }
      return bytes
    } catch {
      watchdog.cancel()
      if watch.state.withLock({ $0.isExpired }) { throw .idle(idleTimeout) }
      throw .transport(
        (error as? TransportError) ?? TransportError(.cancelled, "The stream was cancelled.", cause: error))
    }
  }
}
