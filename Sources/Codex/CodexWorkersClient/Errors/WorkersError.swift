public import ResolveKitCore

/// The failure of a call of the worker API or of a worker's stream: a code to decide on, a sentence with the remedy,
/// a cause.
public struct WorkersError: Error, Sendable, CustomStringConvertible {
  /// The kind of a failure, to decide on; statuses are those of the server's response.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// 401: there is no sign-in, or it has ended.
    case signInNeeded
    /// 403: the worker is another user's.
    case forbidden
    /// 404: there is no such worker.
    case notFound
    /// 409: the worker is stopped, or a request's id was used for another one.
    case conflict
    /// 410: events behind the cursor are no longer kept.
    case staleCursor
    /// 400, 413 and 422: the server refuses what was sent.
    case invalid
    /// 429: too many requests.
    case throttled
    /// 5xx, and a stream that the server's own error event ended.
    case unavailable
    /// An answer that is not what the contract says, such as a page of HTML.
    case unreadable
    /// There is no connection to the server.
    case unreachable
    /// No answer came in time.
    case timedOut
  }

  /// The kind of the failure.
  public let code: Code
  /// One sentence for a person, with the remedy; what a server wrote is in it with escapes for what cannot be seen.
  public let message: String
  /// The response's status; nil where there was none.
  public let status: Int?
  /// The server's own code, such as `stale_cursor`.
  public let serverCode: String?
  /// The data of the server's error beside its sentence.
  public let details: JSONObject
  /// The id by which the call is found in the logs of both sides.
  public let requestID: String?
  /// The wait that the server orders.
  public let retryAfter: Duration?
  /// The error below, such as the transport's; nil where the server itself refused.
  public let cause: (any Error)?

  /// An error as a server's answer, or its absence, gives it; the parameters are the properties.
  public init(
    _ code: Code, _ message: String, status: Int? = nil, serverCode: String? = nil, details: JSONObject = [:],
    requestID: String? = nil, retryAfter: Duration? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.status = status
    self.serverCode = serverCode
    self.details = details
    self.requestID = requestID
    self.retryAfter = retryAfter
    self.cause = cause
  }

  public var description: String { message }

  /// Whether the same call may succeed later without anybody doing something about it.
  public var isPassing: Bool {
    switch code {
    case .throttled, .unavailable, .unreachable, .timedOut: true
    case .signInNeeded, .forbidden, .notFound, .conflict, .staleCursor, .invalid, .unreadable: false
    }
  }
}

extension WorkersError: Equatable {
  /// Compares all but the cause.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message && left.status == right.status
      && left.serverCode == right.serverCode && left.details == right.details && left.requestID == right.requestID
      && left.retryAfter == right.retryAfter
  }
}
