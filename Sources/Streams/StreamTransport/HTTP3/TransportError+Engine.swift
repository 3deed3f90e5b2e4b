import HTTP3Engine

extension TransportError {
  /// The meaning of an engine's error to a caller.
  init(_ error: HTTP3Error) {
    let code: Code
    var wireCode: String?
    var message = error.message
    switch error.code {
    case .transport(let value):
      code = value == .connectionRefused ? .connectionRefused : error.isGraceful ? .connectionLost : .protocolViolation
      wireCode = value.description
    case .tlsAlert(let alert):
      code = .tls
      wireCode = "TLS alert \(alert)"
    case .application(let value):
      let isOverLimit = value == .excessiveLoad && error.side == .local
      code = error.isGraceful ? .connectionLost : isOverLimit ? .limitExceeded : .streamReset
      if isOverLimit {
        message = "The peer went past a limit here: its fields' size, interim responses, or requests taken back."
      }
      wireCode = value.description
    case .certificateRejected: code = .certificateRejected
    case .earlyDataRetry: code = .tls
    case .idleTimeout: code = .idleTimeout
    case .handshakeTimeout: code = .connectTimeout
    case .versionNegotiationFailed: code = .protocolViolation
    case .statelessReset, .connectionClosed, .streamClosed: code = .connectionLost
    case .streamLimitReached, .datagramQueueFull: code = .limitExceeded
    case .goingAway, .requestNotProcessed: code = .notProcessed
    case .invalidMessage, .datagramsUnavailable, .datagramTooLarge: code = .invalidRequest
    case .internal: code = .protocolViolation
    }
    self.init(code, message, wireCode: wireCode, cause: error)
  }
}
