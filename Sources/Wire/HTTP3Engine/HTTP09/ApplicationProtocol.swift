/// The mapping of HTTP's messages onto QUIC's streams; the raw value is the name in ALPN.
package enum ApplicationProtocol: String, Hashable, Sendable {
  /// RFC 9114.
  case http3 = "h3"
  /// HTTP/0.9 as QUIC's interoperability tests speak it: a bidirectional stream carries `GET /path`, a line end and FIN,
  /// and back come the body's bytes and FIN. There are no fields and no status: a response that has begun counts as 200,
  /// and the server resets the stream in place of any other.
  case http09 = "hq-interop"

  /// The code that goes into a frame: HTTP/3's code for no error is one of its own (RFC 9114 § 8.1).
  func wireCode(of code: ApplicationErrorCode) -> ApplicationErrorCode {
    self == .http09 && code == .noError ? ApplicationErrorCode(rawValue: 0) : code
  }
}
