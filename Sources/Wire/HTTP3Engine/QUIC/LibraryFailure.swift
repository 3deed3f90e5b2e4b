import CQUIC

extension LibraryFailure {
  /// - Parameters:
  ///   - code: a negative answer of the library's.
  ///   - alert: TLS's alert, if it is TLS that failed.
  init(_ code: Int32, alert: @autoclosure () -> UInt8) {
    self =
      switch code {
      case NGTCP2_ERR_DRAINING: .closedByPeer
      case NGTCP2_ERR_CLOSING, NGTCP2_ERR_DROP_CONN: .dropped(isRetryDue: false)
      case NGTCP2_ERR_RETRY: .dropped(isRetryDue: true)
      case NGTCP2_ERR_IDLE_CLOSE: .idle
      case NGTCP2_ERR_HANDSHAKE_TIMEOUT: .handshakeTimeout
      case NGTCP2_ERR_RECV_VERSION_NEGOTIATION: .versionNegotiation
      case NGTCP2_ERR_CRYPTO: .tls(alert: alert())
      case NGTCP2_ERR_CALLBACK_FAILURE: .refused
      case _:
        .other(
          QUICErrorCode(rawValue: ngtcp2_err_infer_quic_transport_error_code(code)), code: code,
          message: Self.message(code))
      }
  }

  /// The library's words for its answer.
  static func message(_ code: Int32) -> String {
    ngtcp2_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension CloseFrame {
  /// Lends the frame in the library's form, valid for the call only.
  func withError<Result>(_ body: (UnsafePointer<ngtcp2_ccerr>) -> Result) -> Result {
    var error = ngtcp2_ccerr()
    ngtcp2_ccerr_default(&error)
    switch self {
    case .transport(let code, let reason):
      return Self.withBytes(of: reason) {
        ngtcp2_ccerr_set_transport_error(&error, code.rawValue, $0.baseAddress, $0.count)
        return body(&error)
      }
    case .application(let code, let reason):
      return Self.withBytes(of: reason) {
        ngtcp2_ccerr_set_application_error(&error, code.rawValue, $0.baseAddress, $0.count)
        return body(&error)
      }
    case .tlsAlert(let alert): ngtcp2_ccerr_set_tls_alert(&error, alert, nil, 0)
    case .library(let code): ngtcp2_ccerr_set_liberr(&error, code, nil, 0)
    }
    return body(&error)
  }

  /// Calls a function with the part of a reason that fits a packet.
  private static func withBytes<Result>(
    of reason: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    Array(reason.utf8.prefix(512)).withUnsafeBufferPointer(body)
  }
}

/// The library's answer to an order to migrate.
enum MigrationAnswer {
  case started
  /// The call needs the handshake's confirmation, or a connection id.
  case tooEarly
  case addressUsed
  case failed(code: Int32)
}

extension QlogTrace.Metrics {
  init(_ info: ngtcp2_conn_info) {
    // Before the first sample the library reports the initial guess and a minimum of UINT64_MAX.
    let hasSample = info.min_rtt != .max && info.min_rtt != 0
    self.init(
      minimumRoundTrip: hasSample ? info.min_rtt : nil, smoothedRoundTrip: hasSample ? info.smoothed_rtt : nil,
      latestRoundTrip: hasSample ? info.latest_rtt : nil, roundTripVariance: hasSample ? info.rttvar : nil,
      congestionWindow: info.cwnd, bytesInFlight: info.bytes_in_flight,
      slowStartThreshold: info.ssthresh == .max ? nil : info.ssthresh)
  }
}
