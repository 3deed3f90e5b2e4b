import ResolveKitCore
package import StreamTransport

/// Makes the transport that a configuration asks for.
package enum SessionTransport {
  package static func make(for configuration: ResolveKitConfiguration) throws -> any HTTPTransport {
    if case .custom(let transport) = configuration.transport { return transport }
    let origin = try Origin(configuration.baseURL)
    switch configuration.transport {
    case .custom(let transport): return transport
    case .http3: return http3(origin, configuration)
    case .http1: return http1(origin, configuration)
    case .automatic:
      // QUIC has no plaintext form, so there is nothing to race.
      guard origin.scheme == .https else { return http1(origin, configuration) }
      return RacingTransport(
        http3: http3(origin, configuration), http1: http1(origin, configuration), memory: configuration.originStore,
        logger: configuration.logger)
    }
  }

  private static func http3(_ origin: Origin, _ configuration: ResolveKitConfiguration) -> HTTP3Transport {
    var http3 = HTTP3TransportConfiguration()
    http3.qlogDirectory = configuration.qlogDirectory
    return HTTP3Transport(
      origin: origin, tls: configuration.tls, logger: configuration.logger, configuration: http3,
      resumption: configuration.resumptionStore)
  }

  private static func http1(_ origin: Origin, _ configuration: ResolveKitConfiguration) -> HTTP1Transport {
    HTTP1Transport(
      origin: origin, tls: configuration.tls, allowsPlaintext: configuration.allowsPlaintext,
      proxies: configuration.proxies, logger: configuration.logger)
  }
}
