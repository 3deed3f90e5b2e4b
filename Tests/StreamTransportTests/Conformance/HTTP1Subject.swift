import Logging
import StreamTransport

struct HTTP1Subject: ConformanceSubject {
  let isSecure: Bool

  var name: String { isSecure ? "HTTP/1.1 over TLS" : "HTTP/1.1 in plaintext" }

  func run(
    handler: @escaping @Sendable (any ConformanceExchange) async throws -> Void,
    body: @Sendable (any HTTPTransport) async throws -> Void
  ) async throws {
    let certificate = try DevelopmentCertificate.make()
    try await HTTP1TestServer.run(isSecure ? certificate : nil, handler: handler) { server in
      let transport = HTTP1Transport(
        origin: Origin(scheme: isSecure ? .https : .http, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet)
      do {
        try await body(transport)
        await transport.close()
      } catch {
        await transport.close()
        throw error
      }
    }
  }
}

extension Logger {
  /// Says nothing.
  static var quiet: Logger {
    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  }
}
