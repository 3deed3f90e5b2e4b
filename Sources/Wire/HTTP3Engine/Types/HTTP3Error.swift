/// The error of a connection, a stream or a call.
package struct HTTP3Error: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// A QUIC transport error (RFC 9000 § 20.1); TLS alerts have a case of their own.
    case transport(QUICErrorCode)
    /// A TLS alert, which QUIC carries as 0x100 + alert (RFC 9001 § 4.8).
    case tlsAlert(UInt8)
    /// An HTTP/3 application error (RFC 9114 § 8.1).
    case application(ApplicationErrorCode)
    /// The server's certificate was not accepted.
    case certificateRejected
    /// The server wants another key exchange, for which GnuTLS cannot take early data back; connect without the ticket.
    case earlyDataRetry
    /// No packet came for the negotiated idle time (RFC 9000 § 10.1).
    case idleTimeout
    /// The handshake did not end in time.
    case handshakeTimeout
    /// The peer speaks no QUIC version that we speak.
    case versionNegotiationFailed
    /// The peer lost its state and sent a stateless reset (RFC 9000 § 10.3).
    case statelessReset
    /// The peer's limit of open requests is used up; try again after `requestStreamsAvailable`.
    case streamLimitReached
    /// The peer is going away and takes no new request; use another connection.
    case goingAway
    /// The request was not processed by the peer, so it may be sent again (RFC 9114 § 4.1.1).
    case requestNotProcessed
    /// The connection is closed.
    case connectionClosed
    /// The stream is not open, or its sending side is over.
    case streamClosed
    /// Datagrams were not agreed on, or not yet.
    case datagramsUnavailable
    /// A datagram does not fit a packet of the path, or is larger than the peer takes.
    case datagramTooLarge
    /// Datagrams come faster than the congestion window lets them go.
    case datagramQueueFull
    /// A field section or another input that cannot be sent.
    case invalidMessage
    /// A fault inside the engine or one of its libraries.
    case `internal`
  }

  package enum Side: Hashable, Sendable {
    case local
    case remote
  }

  package var code: Code
  /// The side that found the error.
  package var side: Side
  /// One sentence, with the remedy where there is one.
  package var message: String

  package init(_ code: Code, side: Side = .local, _ message: String) {
    self.code = code
    self.side = side
    self.message = message
  }

  /// No error: the peer or the owner closed the connection gracefully.
  package var isGraceful: Bool {
    switch code {
    case .application(.noError), .transport(.noError): true
    default: false
    }
  }

  package var description: String { message }

  static let earlyDataRetry = HTTP3Error(
    .earlyDataRetry,
    "The server asked for another key exchange beside early data; connect again without the ticket.")
}

/// An HTTP/3 or QPACK application error code; unknown values are kept (RFC 9114 § 8.1, RFC 9204 § 6, RFC 9297 § 5.2).
package struct ApplicationErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let noError = ApplicationErrorCode(rawValue: 0x100)
  package static let generalProtocolError = ApplicationErrorCode(rawValue: 0x101)
  package static let internalError = ApplicationErrorCode(rawValue: 0x102)
  package static let streamCreationError = ApplicationErrorCode(rawValue: 0x103)
  package static let closedCriticalStream = ApplicationErrorCode(rawValue: 0x104)
  package static let frameUnexpected = ApplicationErrorCode(rawValue: 0x105)
  package static let frameError = ApplicationErrorCode(rawValue: 0x106)
  package static let excessiveLoad = ApplicationErrorCode(rawValue: 0x107)
  package static let idError = ApplicationErrorCode(rawValue: 0x108)
  package static let settingsError = ApplicationErrorCode(rawValue: 0x109)
  package static let missingSettings = ApplicationErrorCode(rawValue: 0x10a)
  package static let requestRejected = ApplicationErrorCode(rawValue: 0x10b)
  package static let requestCancelled = ApplicationErrorCode(rawValue: 0x10c)
  package static let requestIncomplete = ApplicationErrorCode(rawValue: 0x10d)
  package static let messageError = ApplicationErrorCode(rawValue: 0x10e)
  package static let connectError = ApplicationErrorCode(rawValue: 0x10f)
  package static let datagramError = ApplicationErrorCode(rawValue: 0x33)
  package static let versionFallback = ApplicationErrorCode(rawValue: 0x110)
  package static let qpackDecompressionFailed = ApplicationErrorCode(rawValue: 0x200)
  package static let qpackEncoderStreamError = ApplicationErrorCode(rawValue: 0x201)
  package static let qpackDecoderStreamError = ApplicationErrorCode(rawValue: 0x202)

  private static let names: [UInt64: String] = [
    0x33: "H3_DATAGRAM_ERROR",
    0x100: "H3_NO_ERROR", 0x101: "H3_GENERAL_PROTOCOL_ERROR", 0x102: "H3_INTERNAL_ERROR",
    0x103: "H3_STREAM_CREATION_ERROR", 0x104: "H3_CLOSED_CRITICAL_STREAM",
    0x105: "H3_FRAME_UNEXPECTED", 0x106: "H3_FRAME_ERROR", 0x107: "H3_EXCESSIVE_LOAD",
    0x108: "H3_ID_ERROR", 0x109: "H3_SETTINGS_ERROR", 0x10a: "H3_MISSING_SETTINGS",
    0x10b: "H3_REQUEST_REJECTED", 0x10c: "H3_REQUEST_CANCELLED", 0x10d: "H3_REQUEST_INCOMPLETE",
    0x10e: "H3_MESSAGE_ERROR", 0x10f: "H3_CONNECT_ERROR", 0x110: "H3_VERSION_FALLBACK",
    0x200: "QPACK_DECOMPRESSION_FAILED", 0x201: "QPACK_ENCODER_STREAM_ERROR",
    0x202: "QPACK_DECODER_STREAM_ERROR",
  ]

  package var description: String {
    Self.names[rawValue] ?? "HTTP/3 error 0x\(String(rawValue, radix: 16))"
  }
}

/// A QUIC transport error code; unknown values are kept (RFC 9000 § 20.1, RFC 9368 § 5).
package struct QUICErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let noError = QUICErrorCode(rawValue: 0)
  package static let internalError = QUICErrorCode(rawValue: 1)
  package static let connectionRefused = QUICErrorCode(rawValue: 2)
  package static let frameEncodingError = QUICErrorCode(rawValue: 7)
  package static let connectionIDLimitError = QUICErrorCode(rawValue: 9)
  package static let protocolViolation = QUICErrorCode(rawValue: 0xa)
  package static let invalidToken = QUICErrorCode(rawValue: 0xb)
  package static let cryptoBufferExceeded = QUICErrorCode(rawValue: 0xd)
  package static let noViablePath = QUICErrorCode(rawValue: 0x10)

  private static let names = [
    "NO_ERROR", "INTERNAL_ERROR", "CONNECTION_REFUSED", "FLOW_CONTROL_ERROR", "STREAM_LIMIT_ERROR",
    "STREAM_STATE_ERROR", "FINAL_SIZE_ERROR", "FRAME_ENCODING_ERROR", "TRANSPORT_PARAMETER_ERROR",
    "CONNECTION_ID_LIMIT_ERROR", "PROTOCOL_VIOLATION", "INVALID_TOKEN", "APPLICATION_ERROR",
    "CRYPTO_BUFFER_EXCEEDED", "KEY_UPDATE_ERROR", "AEAD_LIMIT_REACHED", "NO_VIABLE_PATH",
    "VERSION_NEGOTIATION_ERROR",
  ]

  package var description: String {
    switch rawValue {
    case 0..<UInt64(Self.names.count): Self.names[Int(rawValue)]
    // With a TLS alert in its low byte (RFC 9001 § 4.8).
    case 0x100...0x1ff: "CRYPTO_ERROR: \(GnuTLS.alertName(UInt8(truncatingIfNeeded: rawValue)))"
    default: "QUIC error 0x\(String(rawValue, radix: 16))"
    }
  }
}
