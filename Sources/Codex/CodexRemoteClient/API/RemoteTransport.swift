import Logging
public import StreamTransport

/// The HTTP versions by which a companion is reached.
public enum RemoteTransport: Sendable {
  /// HTTP/3 first, HTTP/1.1 where UDP does not pass.
  case automatic
  /// HTTP/3 alone; HTTP/1.1 for an origin without TLS, since QUIC has no plaintext form.
  case http3
  /// HTTP/1.1 alone.
  case http1
  /// A transport of the caller's own, for the companion's origin.
  case custom(any HTTPTransport)

  /// Makes it for a companion, whose certificate is pinned where a fingerprint is known; plaintext is for this machine
  /// alone.
  func make(
    for origin: Origin, fingerprint: String?, originStore: OriginStore, resumptionStore: ResumptionStore, logger: Logger
  ) throws(RemoteError) -> any HTTPTransport {
    var tls = TLSOptions()
    if let fingerprint {
      guard let trust = TLSOptions.Trust(pinnedDigits: fingerprint) else {
        throw RemoteError(.misuse, "A fingerprint is a SHA-256 in 64 hexadecimal digits.")
      }
      tls.trust = trust
    }
    func http3() -> HTTP3Transport {
      HTTP3Transport(origin: origin, tls: tls, logger: logger, resumption: resumptionStore)
    }
    func http1() -> HTTP1Transport { HTTP1Transport(origin: origin, tls: tls, proxies: .environment, logger: logger) }
    switch self {
    case .custom(let transport): return transport
    case .http3 where origin.scheme == .https: return http3()
    case .automatic where origin.scheme == .https:
      return RacingTransport(http3: http3(), http1: http1(), memory: originStore, logger: logger)
    // QUIC has no plaintext form.
    case .automatic, .http1, .http3: return http1()
    }
  }
}
