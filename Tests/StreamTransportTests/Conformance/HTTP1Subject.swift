import Logging
import StreamTransport
import TestSupport

struct HTTP1Subject: ConformanceSubject {
  let isSecure: Bool

  var name: String { isSecure ? "HTTP/1.1 over TLS" : "HTTP/1.1 in plaintext" }
  /// The kernel alone may take tens of megabytes (tcp_rmem of tcp(7)).
  let bytesThatDoNotFit = 128 << 20

  func run(
    handler: @escaping @Sendable (any ConformanceExchange) async throws -> Void,
    body: @Sendable (any HTTPTransport) async throws -> Void
  ) async throws {
    try await Self.serve(isSecure: isSecure, handler) { origin, tls in
      try await withTransport(HTTP1Transport(origin: origin, tls: tls, logger: .quiet, configuration: .patient), body)
    }
  }

  /// Runs an HTTP/1.1 server and nothing else on its port.
  static func serve(
    isSecure: Bool, _ handler: @escaping @Sendable (any ConformanceExchange) async throws -> Void,
    body: (Origin, TLSOptions) async throws -> Void
  ) async throws {
    let certificate = try DevelopmentCertificate.make()
    try await HTTP1TestServer.run(isSecure ? certificate : nil, handler: handler) { server in
      try await body(
        Origin(scheme: isSecure ? .https : .http, host: "127.0.0.1", port: server.port),
        TLSOptions(trust: .certificates(pem: certificate.certificatePEM)))
    }
  }
}

extension Logger {
  /// Says nothing.
  static var quiet: Logger {
    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  }
}
