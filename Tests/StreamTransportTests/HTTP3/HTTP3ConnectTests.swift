import Foundation
import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing
import TransportPolicy

@Suite struct HTTP3ConnectTests {
  private func transport(
    host: String = "127.0.0.1", port: UInt16, timeout: Duration = .seconds(10), addresses: [NetworkAddress]? = nil
  ) throws -> HTTP3Transport {
    var configuration = HTTP3TransportConfiguration()
    configuration.connectTimeout = timeout
    let certificate = try DevelopmentCertificate.make()
    return HTTP3Transport(
      origin: Origin(scheme: .https, host: host, port: Int(port)),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet,
      configuration: configuration
    ) { _, _, _ in addresses ?? [.loopback(port: port)] }
  }

  @Test(.timeLimit(.minutes(10))) func aRefusedPortFailsAtOnce() async throws {
    let closed = NetworkAddress.closed
    // Who waited for the time allowed would meet the test's own limit.
    let transport = try transport(port: closed.port, timeout: .seconds(600), addresses: [closed])
    let code = try await failureCode { _ = try await transport.connect() }
    #expect(code == .connectionRefused)
  }

  @Test(.timeLimit(.minutes(10))) func aSilentPortTimesOut() async throws {
    let silent = try UDPSocket(bindingTo: .loopback(port: 0))
    let transport = try transport(port: silent.localAddress.port, timeout: .milliseconds(300))
    let code = try await failureCode { _ = try await transport.connect() }
    #expect(code == .connectTimeout)
    withExtendedLifetime(silent) {}
  }

  /// Whatever the name is that leads here.
  @Test(
    .timeLimit(.minutes(10)), arguments: ["127.9.9.9", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1", "::ffff:0.0.0.0"])
  func aServerElsewhereOffersNothingOfThisMachine(_ literal: String) async throws {
    let here = try #require(NetworkAddress(literal: literal, port: 4_433))
    let transport = try transport(host: "origin.test", port: 443, addresses: [here])
    transport.steer(to: AlternativeService(host: "alternative.test", port: 4_433))
    let code = try await failureCode { _ = try await transport.connect() }
    #expect(code == .unreachable)
    #expect(NetworkAddress(literal: "192.0.2.1", port: 1)?.isOfThisMachine == false)
    #expect(NetworkAddress(literal: "2001:db8::1", port: 1)?.isOfThisMachine == false)
    #expect(NetworkAddress(literal: "::ffff:192.0.2.1", port: 1)?.isOfThisMachine == false)
  }

  @Test(.timeLimit(.minutes(10))) func cancellingTheTaskEndsConnecting() async throws {
    let silent = try UDPSocket(bindingTo: .loopback(port: 0))
    let transport = try transport(port: silent.localAddress.port, timeout: .seconds(600))
    let attempt = Task { try await transport.connect() }
    attempt.cancel()
    let code = try await failureCode { _ = try await attempt.value }
    #expect(code == .cancelled)
    withExtendedLifetime(silent) {}
  }

  @Test(.timeLimit(.minutes(10))) func closingEndsConnecting() async throws {
    let silent = try UDPSocket(bindingTo: .loopback(port: 0))
    let transport = try transport(port: silent.localAddress.port, timeout: .seconds(600))
    async let code = failureCode { _ = try await transport.connect() }
    // Closes until the attempt has begun and learns of it.
    let closer = Task {
      while !Task.isCancelled {
        await transport.close()
        await Task.yield()
      }
    }
    #expect(try await code == .cancelled)
    closer.cancel()
    withExtendedLifetime(silent) {}
  }

  @Test(.timeLimit(.minutes(10))) func theNextAddressIsTriedAfterARefusalAndBesideSilence() async throws {
    let silent = try UDPSocket(bindingTo: .loopback(port: 0))
    let silentAddress = silent.localAddress
    try await HTTP3TestServer.run { server in
      let addresses = [NetworkAddress.closed, silentAddress, .loopback(port: UInt16(server.port))]
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "localhost", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
        configuration: .patient
      ) { _, _, _ in addresses }
      let info = try await transport.connect()
      #expect(info.remoteAddress == "127.0.0.1:\(server.port)")
      #expect(info.transport == .http3)
      await transport.close()
    }
    withExtendedLifetime(silent) {}
  }

  @Test func plaintextIsRefused() async throws {
    let transport = HTTP3Transport(
      origin: Origin(scheme: .http, host: "127.0.0.1", port: 80), tls: TLSOptions(), logger: .quiet)
    let code = try await failureCode { _ = try await transport.send(HTTPRequest(path: "/")) }
    #expect(code == .invalidRequest)
  }

  // MARK: Certificates

  @Test(.timeLimit(.minutes(10))) func aCertificateForAnotherNameIsRejected() async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["other.example"])
    try await HTTP3TestServer.run(certificate: certificate) { server in
      let error = await #expect(throws: TransportError.self) { try await server.makeTransport().connect() }
      #expect(error?.code == .certificateRejected, "\(String(describing: error))")
    }
  }

  @Test(.timeLimit(.minutes(10))) func anotherAuthoritysCertificateIsRejected() async throws {
    let other = try DevelopmentCertificate.make()
    try await HTTP3TestServer.run { server in
      let tls = TLSOptions(trust: .certificates(pem: other.certificatePEM))
      let error = await #expect(throws: TransportError.self) { try await server.makeTransport(tls: tls).connect() }
      #expect(error?.code == .certificateRejected, "\(String(describing: error))")
    }
  }

  @Test(.timeLimit(.minutes(10))) func anExpiredCertificateIsRejected() async throws {
    let now = Date()
    let certificate = try DevelopmentCertificate.make(
      notBefore: now.addingTimeInterval(-7_200), notAfter: now.addingTimeInterval(-3_600))
    try await HTTP3TestServer.run(certificate: certificate) { server in
      let error = await #expect(throws: TransportError.self) { try await server.makeTransport().connect() }
      #expect(error?.code == .certificateRejected, "\(String(describing: error))")
      #expect(error?.message.contains("expired") == true, "\(String(describing: error))")
    }
  }

  @Test(.timeLimit(.minutes(10))) func aPinnedCertificateIsAcceptedAndNoOther() async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["other.example"])
    let another = try DevelopmentCertificate.make()
    try await HTTP3TestServer.run(certificate: certificate) { server in
      let right = server.makeTransport(tls: TLSOptions(trust: .pinned(sha256: certificate.sha256)))
      _ = try await right.connect()
      await right.close()
      let wrong = server.makeTransport(tls: TLSOptions(trust: .pinned(sha256: another.sha256)))
      let code = try await failureCode { _ = try await wrong.connect() }
      #expect(code == .certificateRejected)
    }
  }

  @Test(.timeLimit(.minutes(10))) func secretsAreLoggedWhenAskedForOnly() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try await HTTP3TestServer.run { server in
      let trust = TLSOptions.Trust.certificates(pem: server.certificate.certificatePEM)
      let silent = server.makeTransport(tls: TLSOptions(trust: trust))
      _ = try await silent.connect()
      await silent.close()
      #expect(!FileManager.default.fileExists(atPath: file.path))
      let logging = server.makeTransport(tls: TLSOptions(trust: trust, keyLogFile: file.path))
      _ = try await logging.connect()
      await logging.close()
    }
    let lines = try String(contentsOf: file, encoding: .utf8)
    #expect(lines.contains("CLIENT_TRAFFIC_SECRET_0 "))
  }
}
