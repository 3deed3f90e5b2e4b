public import EventStream

/// The configuration of an ``EventSourceClient``: how it resumes, waits and gives up.
public struct EventSourceConfiguration: Sendable {
  /// The form in which the last event's id is sent when the stream is resumed.
  public var cursor: EventCursor.Carrier = .lastEventID
  /// The id to begin after; empty for the stream's beginning.
  public var lastEventID = ""
  /// The waits between attempts.
  public var backoff = BackoffConfiguration()
  /// Silence after which a stream counts as dead; any byte ends it, a comment's too. It must exceed the server's
  /// keep-alive interval with a margin.
  public var idleTimeout: Duration = .seconds(25)
  /// Time from sending the request to the response's fields, the connection's making included.
  public var responseTimeout: Duration = .seconds(30)
  /// Limits on the data that one stream may make the client hold.
  public var limits = EventStreamLimits()
  /// Redirects followed in one attempt.
  public var maximumRedirects = 5
  /// Bytes of an error response's body that are kept for the error.
  public var errorBodyLimit = 16 << 10
  /// Decides on every status other than 200, 204 and a redirect that is followed.
  public var onStatus: @Sendable (Int) -> EventSourceStatusDecision = { EventSourceStatusDecision.standard($0) }
  /// The clock that all waits and limits are measured by; tests give one whose time they move.
  public var clock = TransportClock.continuous
  /// The metrics of reconnections and gaps.
  public var metrics = TransportMetrics()
  /// Makes the source of the back-off's jitter, once for each sequence.
  public var makeGenerator: @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }

  /// Creates a configuration for a stream that begins at its start and sends `Last-Event-ID` when it is resumed.
  public init() {}
}

/// The treatment of a response that is not an event stream.
public enum EventSourceStatusDecision: Hashable, Sendable {
  /// Try again after the back-off, not before the response's `Retry-After`.
  case retry
  /// End the sequence with ``EventSourceError/status(code:body:)``.
  case fail

  /// Retries 408, 425, 429, 500, 502, 503 and 504; fails on all others.
  public static func standard(_ status: Int) -> EventSourceStatusDecision {
    [408, 425, 429, 500, 502, 503, 504].contains(status) ? .retry : .fail
  }
}
