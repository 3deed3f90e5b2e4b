import StreamTransport
import TestSupport

/// A race of both transports in which only one has a server.
struct RacingSubject: ConformanceSubject {
  let winner: TransportKind

  var name: String {
    switch winner {
    case .http3: "race that HTTP/3 wins"
    case .http1: "race that HTTP/1.1 wins"
    }
  }

  var bytesThatDoNotFit: Int {
    switch winner {
    case .http3: 16 << 20
    case .http1: HTTP1Subject(isSecure: true).bytesThatDoNotFit
    }
  }

  func run(
    handler: @escaping @Sendable (any ConformanceExchange) async throws -> Void,
    body: @Sendable (any HTTPTransport) async throws -> Void
  ) async throws {
    switch winner {
    case .http3:
      try await HTTP3TestServer.run(handler: { try? await handler(HTTP3ConformanceExchange(exchange: $0)) }) { server in
        try await race(
          Origin(scheme: .https, host: "127.0.0.1", port: server.port),
          TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), body)
      }
    case .http1: try await HTTP1Subject.serve(isSecure: true, handler) { try await race($0, $1, body) }
    }
  }

  private func race(
    _ origin: Origin, _ tls: TLSOptions, _ body: @Sendable (any HTTPTransport) async throws -> Void
  ) async throws {
    let transport = RacingTransport(
      http3: HTTP3Transport(origin: origin, tls: tls, logger: .quiet, configuration: .patient),
      http1: HTTP1Transport(origin: origin, tls: tls, logger: .quiet, configuration: .patient), logger: .quiet)
    try await withTransport(transport) { transport in
      let kind = try await transport.connect().transport
      try require(kind == winner, "\(kind) won")
      try await body(transport)
    }
  }
}
