import HTTP3Engine

/// An error code as it is in CONNECTION_CLOSE, with its space (RFC 9000 §§ 20.1, 20.2).
struct WireCode: Hashable, Sendable, CustomStringConvertible {
  var isApplication: Bool
  var value: UInt64

  static func http(_ code: ApplicationErrorCode) -> WireCode { WireCode(isApplication: true, value: code.rawValue) }
  static func quic(_ value: UInt64) -> WireCode { WireCode(isApplication: false, value: value) }

  static let internalError = quic(0x1)
  static let connectionRefused = quic(0x2)
  static let flowControlError = quic(0x3)
  static let streamLimitError = quic(0x4)
  static let streamStateError = quic(0x5)
  static let finalSizeError = quic(0x6)
  static let frameEncodingError = quic(0x7)
  static let transportParameterError = quic(0x8)
  static let connectionIDLimitError = quic(0x9)
  static let protocolViolation = quic(0xa)
  static let cryptoBufferExceeded = quic(0xd)

  /// Any TLS alert (RFC 9001 § 4.8).
  static let alerts = (UInt64(0x100)...0x1ff).map(quic)

  /// A graceful end; 0 is no code of HTTP/3's, and unknown ones count as H3_NO_ERROR (RFC 9114 § 8).
  var isGraceful: Bool { value == 0 || (isApplication && value == ApplicationErrorCode.noError.rawValue) }

  /// May stand for any other of its space (RFC 9000 § 11, RFC 9114 § 8.1).
  var isGeneric: Bool {
    isApplication ? value == 0x101 || value == 0x102 : value == Self.internalError.value || value == 0xa
  }

  var description: String {
    isApplication
      ? ApplicationErrorCode(rawValue: value).description : QUICErrorCode(rawValue: value).description
  }
}
