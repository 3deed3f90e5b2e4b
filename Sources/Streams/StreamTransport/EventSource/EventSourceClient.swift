public import Logging

/// Holds an event stream over any transport: resumes it, waits between attempts, notices silence, checks responses.
///
/// It follows the HTML standard's event source (§ 9.2) where that does not contradict streams that end by design, and
/// knows no contract of any server.
public struct EventSourceClient: Sendable {
  private let transport: any HTTPTransport
  private let configuration: EventSourceConfiguration
  private let logger: Logger

  /// Creates a client that opens its streams over `transport`.
  ///
  /// The caller keeps the transport and closes it; a client opens nothing before its updates are read.
  public init(
    transport: any HTTPTransport, configuration: EventSourceConfiguration = EventSourceConfiguration(), logger: Logger
  ) {
    self.transport = transport
    self.configuration = configuration
    self.logger = logger
  }

  /// The stream's events and what happens to its connection.
  ///
  /// Nothing happens before the first element is asked for, and nothing is read ahead of the reader: asking for the
  /// next element says that the last one is dealt with. The sequence ends after a 204; it throws ``EventSourceError``
  /// where trying again cannot help, the error that `makeRequest` threw, or `CancellationError`. Leaving it cancels
  /// the stream.
  public func updates(
    _ makeRequest: @escaping @Sendable (EventSourceAttempt) async throws -> EventSourceRequest
  ) -> EventSourceUpdates {
    EventSourceUpdates {
      EventSourceSession(
        transport: transport, configuration: configuration, logger: logger, makeRequest: makeRequest)
    }
  }
}

/// The updates of one event source; each iteration opens a stream of its own.
public struct EventSourceUpdates: AsyncSequence, Sendable {
  private let makeSession: @Sendable () -> EventSourceSession

  init(makeSession: @escaping @Sendable () -> EventSourceSession) {
    self.makeSession = makeSession
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(session: makeSession())
  }

  /// Reads one event stream; a copy reads the same one.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let session: EventSourceSession

    public mutating func next() async throws -> EventSourceUpdate? {
      try await session.next()
    }

    /// Opens the stream again at once, at its cursor: the time until the next attempt ends, an open stream is left. May be
    /// called from any task, on a copy.
    public func restart() async {
      await session.restart()
    }

    /// Ends the time until the next attempt, as where a person waits for what the stream brings; an open stream and one
    /// that is being opened are left alone. Attempts stay as far apart as `BackoffConfiguration.floor` says, and the
    /// server's `retry` and `Retry-After` are obeyed. May be called from any task, on a copy.
    public func retryNow() async {
      await session.retryNow()
    }
  }
}
