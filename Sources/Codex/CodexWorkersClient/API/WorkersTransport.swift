package import Logging
package import StreamTransport

/// The way to a server of the worker API: HTTP/3, and HTTP/1.1 where UDP does not pass, with what earlier runs learnt.
package enum WorkersTransport {
  /// Throws `TransportError` for plaintext to another machine: the token would be read on the way.
  package static func make(
    _ origin: Origin, tls: TLSOptions, tickets: ResumptionStore, memory: OriginStore, logger: Logger
  ) throws(TransportError) -> any HTTPTransport {
    let http1 = HTTP1Transport(
      origin: origin, tls: tls, allowsPlaintext: origin.scheme == .http, proxies: .environment, logger: logger)
    guard origin.scheme == .https else {
      guard origin.isLoopback else {
        throw TransportError(.invalidRequest, "\(origin) is not protected by TLS; use its https URL.")
      }
      return http1
    }
    let http3 = HTTP3Transport(origin: origin, tls: tls, logger: logger, resumption: tickets)
    return RacingTransport(http3: http3, http1: http1, memory: memory, logger: logger)
  }
}
