import CQUIC

extension HTTP3Mapping {
  /// The library has no session, or could not make one: the peer allows fewer than three streams, or memory is short.
  static let cannotBegin = HTTP3Error(
    .transport(.internalError),
    "The QUIC connection failed (\(QUICErrorCode.internalError)): HTTP/3 cannot open its streams.")

  func check(_ code: Int32) throws(HTTP3Error) {
    if code != 0 { throw error(code) }
  }

  /// The error for the peer that a negative answer of the library stands for (RFC 9114 § 8.1).
  func error(_ code: Int32, on id: StreamID? = nil) -> HTTP3Error {
    let wireCode =
      switch code {
      // A name or value beyond the library's limit (64 kB), which it takes for an error of its own; RFC 9204 § 7.4.
      case NGHTTP3_ERR_QPACK_HEADER_TOO_LARGE:
        id?.isUnidirectional == true ? ApplicationErrorCode.qpackEncoderStreamError : .excessiveLoad
      case NGHTTP3_ERR_MALFORMED_HTTP_MESSAGING where isBehindTrailers(id): ApplicationErrorCode.frameUnexpected
      default: ApplicationErrorCode(rawValue: nghttp3_err_infer_quic_app_error_code(code))
      }
    return HTTP3Error(
      .application(wireCode), "The peer broke HTTP/3's rules (\(wireCode)): \(Self.message(code)).")
  }

  static func message(_ code: Int32) -> String {
    nghttp3_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// Whether what the library calls a malformed message is a frame behind the trailers.
  private func isBehindTrailers(_ id: StreamID?) -> Bool {
    id.flatMap { requests.stream($0)?.watch?.isBehindTrailers } ?? false
  }
}
