import HTTPTypes
import StreamTransport
import TestSupport

/// An HTTP/3 server on loopback and what a client needs to reach it.
struct HTTP3TestServer: Sendable {
  let server: HTTP3Server
  let host: String
  let port: Int
  let certificate: DevelopmentCertificate

  typealias Handler = @Sendable (HTTP3ServerExchange) async -> Void

  /// Starts a server, runs `body`, and closes the server.
  ///
  /// - Parameter host: an address of loopback; one that no other test has where a port is given back and taken again.
  static func run(
    certificate: DevelopmentCertificate? = nil, host: String = "127.0.0.1", port: Int = 0,
    metrics: TransportMetrics = TransportMetrics(),
    configure: (inout HTTP3ServerConfiguration) -> Void = { _ in },
    handler: @escaping Handler = HTTP3TestServer.echo,
    body: @Sendable (HTTP3TestServer) async throws -> Void
  ) async throws {
    let started = try await start(
      certificate: certificate, host: host, port: port, metrics: metrics, configure: configure, handler: handler)
    do {
      try await body(started)
      await started.server.close()
    } catch {
      await started.server.close()
      throw error
    }
  }

  static func start(
    certificate: DevelopmentCertificate? = nil, host: String = "127.0.0.1", port: Int = 0,
    metrics: TransportMetrics = TransportMetrics(),
    configure: (inout HTTP3ServerConfiguration) -> Void = { _ in },
    handler: @escaping Handler = HTTP3TestServer.echo
  ) async throws -> HTTP3TestServer {
    let certificate = try certificate ?? DevelopmentCertificate.make(hosts: ["localhost", host])
    var configuration = HTTP3ServerConfiguration(
      address: host, port: port, certificatePEM: certificate.certificatePEM,
      privateKeyPEM: certificate.privateKeyPEM)
    configure(&configuration)
    let server = HTTP3Server(configuration, logger: .quiet, metrics: metrics, handler: handler)
    return HTTP3TestServer(server: server, host: host, port: try await server.start(), certificate: certificate)
  }

  /// Sends the request's body back as it comes.
  static let echo: Handler = { exchange in
    do {
      try await exchange.respond(HTTPResponse(status: .ok))
      for try await chunk in exchange.body { try await exchange.write(chunk) }
      try await exchange.finish()
    } catch {
      await exchange.reset()
    }
  }

  func makeTransport(
    tls: TLSOptions? = nil, configuration: HTTP3TransportConfiguration = .patient,
    resumption: ResumptionStore = .patient
  ) -> HTTP3Transport {
    HTTP3Transport(
      origin: Origin(scheme: .https, host: host, port: port),
      tls: tls ?? TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet,
      configuration: configuration, resumption: resumption)
  }
}

/// The code of the ``TransportError`` that `body` throws; nil if it throws none.
func failureCode(_ body: () async throws -> Void) async throws -> TransportError.Code? {
  do {
    try await body()
    return nil
  } catch let error as TransportError {
    return error.code
  }
}
