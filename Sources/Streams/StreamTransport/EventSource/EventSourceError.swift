public import EventStream

/// The reason for the end of a stream or an attempt.
public enum EventSourceError: Error, Sendable, CustomStringConvertible {
  /// The server ended the response gracefully.
  case ended
  /// The response's status and the beginning of its body.
  case status(code: Int, body: [UInt8])
  /// The response is not an event stream but has this content type or content coding.
  case contentType(String?)
  /// A redirect that is not followed, and why.
  case redirect(location: String?, reason: String)
  /// No byte came for this time.
  case idle(Duration)
  /// No response came within this time.
  case noResponse(Duration)
  /// The stream went past a limit of what the client holds.
  case limit(EventStreamError)
  /// The stream was opened again over a connection that serves better; nothing is missing in between.
  case moved
  /// The reader ordered it, by ``EventSourceUpdates/Iterator/restart()``.
  case restarted
  /// The connection or the response failed.
  case transport(TransportError)

  public var description: String {
    switch self {
    case .ended: "The server ended the stream."
    case .status(let code, let body): Self.describe(status: code, body)
    case .contentType(let type):
      "The response is no event stream but \(type ?? "of no type"); check the URL and what stands in front of the server."
    case .redirect(let location, let reason):
      "The redirect to \(location ?? "nowhere") is not followed: \(reason)"
    case .idle(let time): "Nothing came from the server for \(time)."
    case .noResponse(let time): "The server did not answer within \(time)."
    case .limit(let error): error.description
    case .moved: "The stream continues over a better connection."
    case .restarted: "The stream was restarted."
    case .transport(let error): error.description
    }
  }

  private static func describe(status: Int, _ body: [UInt8]) -> String {
    guard !body.isEmpty else { return "The server answered with status \(status)." }
    // Printable ASCII alone: the text may reach a terminal.
    let text = String(decoding: body.prefix(200).filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
    return "The server answered with status \(status): \(text)"
  }

  /// Whether the connection gave no sign of life.
  var isSilence: Bool {
    switch self {
    case .idle, .noResponse: true
    case .ended, .status, .contentType, .redirect, .limit, .moved, .restarted, .transport: false
    }
  }

  /// Whether the server ended an open response gracefully: it closed the connection gracefully, or took the request
  /// back because it goes away (RFC 9114 § 5.2).
  var isGracefulClose: Bool {
    guard case .transport(let error) = self else { return false }
    return error.isGracefulClose
  }

  /// Whether there is nothing to wait for: it was ordered, or the transport has another connection ready.
  var isResumedAtOnce: Bool {
    switch self {
    case .restarted: true
    case .transport(let error): error.code == .superseded
    case .ended, .idle, .noResponse, .status, .contentType, .redirect, .limit, .moved: false
    }
  }

  /// Whether another attempt can end otherwise.
  var isWorthRetrying: Bool {
    switch self {
    case .ended, .idle, .noResponse, .status, .moved, .restarted: true
    case .contentType, .redirect, .limit: false
    case .transport(let error):
      switch error.code {
      case .certificateRejected, .invalidRequest, .limitExceeded: false
      case .nameNotFound, .connectionRefused, .unreachable, .connectTimeout, .tls, .connectionLost, .idleTimeout,
        .superseded, .notProcessed, .streamReset, .protocolViolation, .cancelled:
        true
      }
    }
  }
}
