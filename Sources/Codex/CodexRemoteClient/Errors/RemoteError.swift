import ResolveKitCore

/// A failed request to a companion: a code to branch on, a sentence to show, a cause.
public struct RemoteError: Error, CustomStringConvertible, Sendable {
  /// The kind of an error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// 401: the device's token has expired or was revoked. Pair again.
    case unauthorized
    /// 403: a person declined, or the companion never allows this.
    case forbidden
    /// 404: the resource does not exist, or no longer exists.
    case notFound
    /// 409: it was done or decided already.
    case conflict
    /// 410: the events that were asked for are no longer kept.
    case gone
    /// 429: too many requests at once; try again after ``RemoteError/retryAfter``.
    case tooManyRequests
    /// Another status from 400 to 499: the companion does not accept the request.
    case refused
    /// 501: the companion is not set up for it.
    case unsupported
    /// Another status from 500 on: the companion, or its codex, cannot do it now.
    case server
    /// There was no answer: no connection, or it was lost.
    case network
    /// The companion's certificate is not the pinned one, or no trusted authority signed it.
    case certificate
    /// No whole answer within the time allowed.
    case timedOut
    /// The answer is not what the contract says.
    case malformed
    /// The call itself is wrong, such as a pairing code that cannot be used.
    case misuse
    /// The program's durable state could not be read or written.
    case storage
  }

  /// The kind of the error.
  public let code: Code
  /// One sentence for a person. Words of a companion may be in it: make them safe before they reach a terminal.
  public let message: String
  /// The HTTP status, nil where there was no answer.
  public let status: Int?
  /// The wait that the companion asks for; nil for none.
  public let retryAfter: Duration?
  /// The error below, such as the transport's; nil where the companion itself refused.
  public let cause: (any Error)?

  package init(
    _ code: Code, _ message: String, status: Int? = nil, retryAfter: Duration? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.status = status
    self.retryAfter = retryAfter
    self.cause = cause
  }

  public var description: String { message }

  /// Whether nothing was there that could have refused it: no connection, no answer, or no companion behind one.
  var isOutage: Bool {
    switch code {
    case .network, .timedOut, .tooManyRequests: true
    case .server: [502, 503, 504].contains(status)
    case .unauthorized, .forbidden, .notFound, .conflict, .gone, .refused, .unsupported, .certificate, .malformed,
      .misuse, .storage:
      false
    }
  }

  /// Whether the same request may succeed later by itself.
  public var isTransient: Bool {
    switch code {
    case .tooManyRequests, .server, .network, .timedOut: true
    case .unauthorized, .forbidden, .notFound, .conflict, .gone, .refused, .unsupported, .certificate, .malformed,
      .misuse, .storage:
      false
    }
  }
}
