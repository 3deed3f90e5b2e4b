/// A failure of a QUIC library's call, as far as it ends the connection in a way of its own.
enum LibraryFailure: Equatable {
  /// The peer sent CONNECTION_CLOSE.
  case closedByPeer
  /// The connection is to be forgotten at once; a server's library may want a Retry to be sent first.
  case dropped(isRetryDue: Bool)
  case idle
  case handshakeTimeout
  case versionNegotiation
  /// TLS failed with this alert.
  case tls(alert: UInt8)
  /// A callback of ours has refused.
  case refused
  /// Any other, with the code that RFC 9000 § 20.1 has for it and the library's own number and words.
  case other(QUICErrorCode, code: Int32, message: String)
}

/// The peer's CONNECTION_CLOSE (RFC 9000 § 19.19).
struct PeerClose: Equatable {
  var isApplication: Bool
  var code: UInt64
  var reason: String

  /// TLS's alert of a server that has to see a certificate of its client (RFC 8446 § 6.2).
  private static let certificateRequired: UInt8 = 116

  var error: HTTP3Error {
    let suffix = reason.isEmpty ? "." : ": \(reason)"
    if isApplication {
      let code = ApplicationErrorCode(rawValue: code)
      return HTTP3Error(.application(code), side: .remote, "The peer closed the connection (\(code))\(suffix)")
    }
    // CRYPTO_ERROR carries a TLS alert in its low byte (RFC 9001 § 4.8).
    if (0x100...0x1ff).contains(code) {
      let alert = UInt8(truncatingIfNeeded: code)
      guard alert != Self.certificateRequired else {
        return HTTP3Error(
          .tlsAlert(alert), side: .remote,
          "The server requires a certificate of its clients; give one and its key\(suffix)")
      }
      return HTTP3Error(
        .tlsAlert(alert), side: .remote, "The peer refused the TLS handshake: \(GnuTLS.alertName(alert))\(suffix)")
    }
    let code = QUICErrorCode(rawValue: code)
    return HTTP3Error(.transport(code), side: .remote, "The peer closed the connection (\(code))\(suffix)")
  }
}

/// The CONNECTION_CLOSE frame of ours (RFC 9000 § 19.19).
enum CloseFrame: Equatable {
  case transport(QUICErrorCode, reason: String = "")
  case tlsAlert(UInt8)
  case application(ApplicationErrorCode, reason: String = "")
  /// The code is the library's to find, from its own number of the failure.
  case library(code: Int32)
}

/// The end of a connection (RFC 9000 § 10), judged by the failure of a library call and by what was noted inside it.
enum ConnectionEnd {
  /// The peer closed it, and nothing is sent any more (§ 10.2.2).
  case drain(HTTP3Error)
  /// Nothing is said to the peer, which is gone or never was there (§ 10.1).
  case leave(HTTP3Error, isRetryDue: Bool = false)
  /// The peer is notified by CONNECTION_CLOSE (§ 10.2).
  case close(HTTP3Error, CloseFrame)

  /// Nothing came for the idle time-out, by the library's count or by ours.
  static let silence = ConnectionEnd.leave(
    HTTP3Error(.idleTimeout, "Nothing came from the peer for the idle time-out."))

  /// The library will send nothing more than acknowledgements, see ``SendStall``.
  static let stall = ConnectionEnd.close(
    HTTP3Error(
      .transport(.noViablePath),
      "The path takes no data any more since the client's address changed; connect again."),
    .transport(.noViablePath))

  /// - Parameters:
  ///   - cause: the first reason that was noted inside the call.
  ///   - peer: the peer's CONNECTION_CLOSE, if it is known.
  init(_ failure: LibraryFailure, cause: HTTP3Error?, peer: @autoclosure () -> PeerClose?) {
    switch failure {
    case .closedByPeer:
      self = .drain(
        cause ?? peer()?.error ?? HTTP3Error(.connectionClosed, side: .remote, "The peer closed the connection."))
    case .dropped(let isRetryDue):
      self = .leave(HTTP3Error(.connectionClosed, "The connection was dropped."), isRetryDue: isRetryDue)
    case .idle: self = .silence
    case .handshakeTimeout:
      self = .leave(
        HTTP3Error(.handshakeTimeout, "No QUIC connection within the time allowed; is UDP blocked on the way?"))
    case .versionNegotiation:
      self = .leave(
        HTTP3Error(
          .versionNegotiationFailed, side: .remote,
          "The server does not speak the version of QUIC that the connection began with."))
    case .tls(let reported):
      let alert = if case .tlsAlert(let own) = cause?.code { own } else { reported }
      self = .close(cause ?? HTTP3Error(.tlsAlert(alert), "TLS failed: \(GnuTLS.alertName(alert))."), .tlsAlert(alert))
    case .refused:
      let error = cause ?? HTTP3Error(.transport(.internalError), "The QUIC connection failed inside a callback.")
      self = .close(error, Self.frame(for: error))
    case .other(let wireCode, let code, let message):
      self = .close(
        HTTP3Error(.transport(wireCode), "The QUIC connection failed (\(wireCode)): \(message)."), .library(code: code))
    }
  }

  /// The frame for what we found ourselves, which keeps the sentence in.
  private static func frame(for error: HTTP3Error) -> CloseFrame {
    switch error.code {
    case .transport(let code): .transport(code)
    case .tlsAlert(let alert): .tlsAlert(alert)
    case .application(let code): .application(code)
    case .certificateRejected, .earlyDataRetry, .idleTimeout, .handshakeTimeout, .versionNegotiationFailed,
      .statelessReset, .streamLimitReached, .goingAway, .requestNotProcessed, .connectionClosed, .streamClosed,
      .invalidMessage, .datagramsUnavailable, .datagramTooLarge, .datagramQueueFull, .internal:
      .application(.internalError)
    }
  }
}
