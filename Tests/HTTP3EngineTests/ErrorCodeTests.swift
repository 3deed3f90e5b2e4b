import HTTP3Engine
import Testing

/// Each code of CONNECTION_CLOSE that a standard names is reported by that name, others by their number.
@Suite struct ErrorCodeTests {
  /// RFC 9000 § 20.1, RFC 9368 § 5.
  static let transport: [(UInt64, String)] = [
    (0x00, "NO_ERROR"), (0x01, "INTERNAL_ERROR"), (0x02, "CONNECTION_REFUSED"), (0x03, "FLOW_CONTROL_ERROR"),
    (0x04, "STREAM_LIMIT_ERROR"), (0x05, "STREAM_STATE_ERROR"), (0x06, "FINAL_SIZE_ERROR"),
    (0x07, "FRAME_ENCODING_ERROR"), (0x08, "TRANSPORT_PARAMETER_ERROR"), (0x09, "CONNECTION_ID_LIMIT_ERROR"),
    (0x0a, "PROTOCOL_VIOLATION"), (0x0b, "INVALID_TOKEN"), (0x0c, "APPLICATION_ERROR"),
    (0x0d, "CRYPTO_BUFFER_EXCEEDED"), (0x0e, "KEY_UPDATE_ERROR"), (0x0f, "AEAD_LIMIT_REACHED"),
    (0x10, "NO_VIABLE_PATH"), (0x11, "VERSION_NEGOTIATION_ERROR"), (0x12, "QUIC error 0x12"),
    (0x178, "CRYPTO_ERROR: No supported application protocol could be negotiated"), (0x200, "QUIC error 0x200"),
    (.max, "QUIC error 0xffffffffffffffff"),
  ]

  /// RFC 9114 § 8.1, RFC 9204 § 6, RFC 9297 § 5.2.
  static let application: [(UInt64, String)] = [
    (0x33, "H3_DATAGRAM_ERROR"), (0x100, "H3_NO_ERROR"), (0x101, "H3_GENERAL_PROTOCOL_ERROR"),
    (0x102, "H3_INTERNAL_ERROR"), (0x103, "H3_STREAM_CREATION_ERROR"), (0x104, "H3_CLOSED_CRITICAL_STREAM"),
    (0x105, "H3_FRAME_UNEXPECTED"), (0x106, "H3_FRAME_ERROR"), (0x107, "H3_EXCESSIVE_LOAD"), (0x108, "H3_ID_ERROR"),
    (0x109, "H3_SETTINGS_ERROR"), (0x10a, "H3_MISSING_SETTINGS"), (0x10b, "H3_REQUEST_REJECTED"),
    (0x10c, "H3_REQUEST_CANCELLED"), (0x10d, "H3_REQUEST_INCOMPLETE"), (0x10e, "H3_MESSAGE_ERROR"),
    (0x10f, "H3_CONNECT_ERROR"), (0x110, "H3_VERSION_FALLBACK"), (0x200, "QPACK_DECOMPRESSION_FAILED"),
    (0x201, "QPACK_ENCODER_STREAM_ERROR"), (0x202, "QPACK_DECODER_STREAM_ERROR"), (0x00, "HTTP/3 error 0x0"),
    (0x111, "HTTP/3 error 0x111"), (0x203, "HTTP/3 error 0x203"), (.max, "HTTP/3 error 0xffffffffffffffff"),
  ]

  @Test(arguments: transport)
  func transportCodesAreNamed(_ code: UInt64, _ name: String) {
    #expect("\(QUICErrorCode(rawValue: code))" == name)
  }

  @Test(arguments: application)
  func applicationCodesAreNamed(_ code: UInt64, _ name: String) {
    #expect("\(ApplicationErrorCode(rawValue: code))" == name)
  }
}
