import HTTP3Engine

/// One way in which a client may behave in a case.
enum Demand: Hashable, Sendable {
  /// CONNECTION_CLOSE with one of these codes.
  case connectionError([WireCode])
  /// RESET_STREAM or STOP_SENDING of the request with one of these, or CONNECTION_CLOSE with it: a stream error may be
  /// taken as a connection error (RFC 9114 § 8).
  case streamError([ApplicationErrorCode])
  /// The request succeeds, as if nothing had happened.
  case success
  /// The client's request fails, and the wire says nothing of why.
  case refusal
  /// The peer says nothing more, as one that knows that the connection is over (RFC 9000 § 10.2.2).
  case silence

  static func closes(_ codes: ApplicationErrorCode...) -> Demand { .connectionError(codes.map(WireCode.http)) }
  static func closes(_ codes: WireCode...) -> Demand { .connectionError(codes) }
  static let tlsAlert = Demand.connectionError(WireCode.alerts)
  static func resets(_ codes: ApplicationErrorCode...) -> Demand { .streamError(codes) }
}

extension Demand: CustomStringConvertible {
  var description: String {
    switch self {
    case .connectionError(WireCode.alerts): "connection error CRYPTO_ERROR with any alert"
    case .connectionError(let codes): "connection error \(Self.list(codes))"
    case .streamError(let codes): "stream error \(Self.list(codes))"
    case .success: "request succeeds"
    case .refusal: "request fails, without an error on the wire"
    case .silence: "nothing comes any more"
    }
  }

  private static func list(_ codes: [some CustomStringConvertible]) -> String {
    codes.map(\.description).joined(separator: " or ")
  }
}
