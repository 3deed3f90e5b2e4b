import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Both transports ask one verifier; here is what HTTP/1.1 makes of its answers.
@Suite(.timeLimit(.minutes(10))) struct HTTP1CertificateTests {
  private func error(
    _ certificate: DevelopmentCertificate, host: String = "127.0.0.1", trust: TLSOptions.Trust
  ) async throws -> TransportError? {
    try await RawServer.run(certificate) { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
    } body: { server in
      let transport = HTTP1Transport(
        origin: Origin(scheme: .https, host: host, port: server.port), tls: TLSOptions(trust: trust), logger: .quiet,
        configuration: .patient)
      do {
        _ = try await transport.send(HTTPRequest(path: "/"))
        return nil
      } catch let error as TransportError {
        return error
      }
    }
  }

  @Test func acceptsItsAuthoritysNames() async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["localhost", "127.0.0.1"])
    for host in ["localhost", "127.0.0.1"] {
      #expect(try await error(certificate, host: host, trust: .certificates(pem: certificate.certificatePEM)) == nil)
    }
  }

  @Test func refusesAnotherNameThoughTheAddressFits() async throws {
    // BoringSSL's wrapper alone takes this one: the address in the certificate is the socket's.
    let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1", "other.test"])
    let error = try await error(certificate, host: "localhost", trust: .certificates(pem: certificate.certificatePEM))
    #expect(error?.code == .certificateRejected)
    #expect(error?.message.contains("another name") == true)
  }

  @Test func refusesAnAddressThatIsNotNamed() async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
    let error = try await error(certificate, trust: .certificates(pem: certificate.certificatePEM))
    #expect(error?.code == .certificateRejected)
  }

  @Test func refusesAnExpiredOne() async throws {
    let past = Date(timeIntervalSinceNow: -86_400)
    let certificate = try DevelopmentCertificate.make(notBefore: past.addingTimeInterval(-86_400), notAfter: past)
    let error = try await error(certificate, trust: .certificates(pem: certificate.certificatePEM))
    #expect(error?.code == .certificateRejected)
    #expect(error?.message.contains("expired") == true)
  }

  @Test func refusesAnUnknownAuthority() async throws {
    let certificate = try DevelopmentCertificate.make()
    let other = try DevelopmentCertificate.make()
    let error = try await error(certificate, trust: .certificates(pem: other.certificatePEM))
    #expect(error?.code == .certificateRejected)
  }

  @Test func pinsOneCertificate() async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["other.test"])
    let right = try await error(certificate, trust: .pinned(sha256: certificate.sha256))
    #expect(right == nil, "\(String(describing: right))")
    let wrong = try await error(certificate, trust: .pinned(sha256: [UInt8](repeating: 1, count: 32)))
    #expect(wrong?.code == .certificateRejected)
  }

  @Test func takesAnEd25519Key() async throws {
    let certificate = try DevelopmentCertificate.make(key: .ed25519)
    let error = try await error(certificate, trust: .certificates(pem: certificate.certificatePEM))
    // BoringSSL offers no Ed25519 by default, so the handshake fails; what matters is the typed error.
    #expect(error == nil || error?.code == .tls)
  }

  @Test func aMissingAuthorityFileIsNamed() async throws {
    let certificate = try DevelopmentCertificate.make()
    let error = try await error(certificate, trust: .certificateFile("/nonexistent/ca.pem"))
    #expect(error?.code == .tls)
    #expect(error?.message.contains("/nonexistent/ca.pem") == true)
  }

  @Test func logsKeysOnlyWhenAsked() async throws {
    let certificate = try DevelopmentCertificate.make()
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await RawServer.run(certificate) { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
    } body: { server in
      let transport = HTTP1Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .pinned(sha256: certificate.sha256), keyLogFile: path), logger: .quiet,
        configuration: .patient)
      _ = try await transport.send(HTTPRequest(path: "/"))
    }
    let log = try String(contentsOfFile: path, encoding: .utf8)
    #expect(log.contains("CLIENT_TRAFFIC_SECRET_0 "))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}
