import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Clients that prove who they are to HTTP/3 servers, and what stands in their certificates.
@Suite(.timeLimit(.minutes(10))) struct ClientIdentityTests {
  private let authority: TestAuthority
  private let robot: TestAuthority.Issued

  init() throws {
    authority = try TestAuthority()
    robot = try authority.issue()
  }

  /// Answers with the fingerprint of the client's certificate.
  private static let fingerprint: HTTP3TestServer.Handler = { exchange in
    do {
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write(Array((exchange.clientCertificate?.fingerprint ?? "nobody").utf8))
      try await exchange.finish()
    } catch {
      await exchange.reset()
    }
  }

  private static func answer(_ transport: some HTTPTransport) async throws -> String {
    let response = try await transport.send(HTTPRequest(path: "/"))
    return String(decoding: try await response.body.collect(upTo: 1_000), as: UTF8.self)
  }

  private func tls(_ server: HTTP3TestServer, _ identity: ClientIdentity?) -> TLSOptions {
    TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM), identity: identity)
  }

  private static func fingerprint(of issued: TestAuthority.Issued) throws -> String {
    try #require(ClientCertificate(der: issued.der)).fingerprint
  }

  @Test func theHandlerSeesTheCertificate() async throws {
    let policy = ClientCertificatePolicy(authoritiesPEM: authority.certificatePEM)
    let robot = robot
    let expected = try Self.fingerprint(of: robot)
    try await HTTP3TestServer.run(configure: { $0.clientCertificates = policy }, handler: Self.fingerprint) { server in
      let transport = server.makeTransport(tls: tls(server, robot.identity))
      // The first request and each further one of the connection.
      for _ in 0..<2 {
        let answer = try await Self.answer(transport)
        #expect(answer == expected)
      }
      await transport.close()
      let stranger = server.makeTransport(tls: tls(server, nil))
      let error = await #expect(throws: TransportError.self) { try await Self.answer(stranger) }
      #expect(error?.code == .tls && error?.wireCode == "TLS alert 116", "\(String(describing: error))")
      #expect(error?.message.contains("requires a certificate of its clients") == true)
      await stranger.close()
    }
  }

  /// A store that transports share holds nothing of one that has an identity, and gives it nothing.
  @Test func whatIsLearntUnderAnIdentityIsNotShared() async throws {
    let policy = ClientCertificatePolicy(.requested, authoritiesPEM: authority.certificatePEM)
    let robot = robot
    let expected = try Self.fingerprint(of: robot)
    let store = ResumptionStore.patient
    // Without a policy a server gives tickets.
    try await HTTP3TestServer.run { server in
      let known = server.makeTransport(tls: tls(server, robot.identity), resumption: store)
      _ = try await Self.answer(known)
      #expect(try await known.connect().resumption == .none)
      await known.close()
      #expect(await store.ticketCount(known.origin) == 0)
      let unknown = server.makeTransport(resumption: store)
      _ = try await Self.answer(unknown)
      await until { await store.ticketCount(unknown.origin) > 0 }
      await unknown.close()
      let again = server.makeTransport(tls: tls(server, robot.identity), resumption: store)
      _ = try await Self.answer(again)
      #expect(try await again.connect().resumption == .none)
      await again.close()
    }
    try await HTTP3TestServer.run(configure: { $0.clientCertificates = policy }, handler: Self.fingerprint) { server in
      let clients: [(ClientIdentity?, String)] = [(robot.identity, expected), (nil, "nobody")]
      for (identity, expected) in clients {
        let transport = server.makeTransport(tls: tls(server, identity), resumption: store)
        let answer = try await Self.answer(transport)
        #expect(answer == expected)
        await transport.close()
      }
    }
  }

  @Test func aRenewedCertificateIsUsedFromTheNextConnectionOn() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "client-identity-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (chain, key) = (folder + "/chain.pem", folder + "/key.pem")
    func write(_ issued: TestAuthority.Issued) throws {
      try Data(issued.certificatePEM.utf8).write(to: URL(filePath: chain), options: .atomic)
      try Data(issued.privateKeyPEM.utf8).write(to: URL(filePath: key), options: .atomic)
    }
    let policy = ClientCertificatePolicy(authoritiesPEM: authority.certificatePEM)
    let renewed = try authority.issue()
    let expected = try [robot, renewed].map { try Self.fingerprint(of: $0) }
    try write(robot)
    let server = try await HTTP3TestServer.start(
      configure: { $0.clientCertificates = policy }, handler: Self.fingerprint)
    let transport = server.makeTransport(tls: tls(server, .files(certificateChain: chain, privateKey: key)))
    #expect(try await Self.answer(transport) == expected[0])
    try write(renewed)
    #expect(try await Self.answer(transport) == expected[0])
    await transport.retireConnection()
    #expect(try await Self.answer(transport) == expected[1])
    await transport.close()
    await server.server.close()
  }

  @Test func otherAuthoritiesAreTakenWithTheCertificates() async throws {
    let policy = ClientCertificatePolicy(authoritiesPEM: authority.certificatePEM)
    let other = try TestAuthority("Another")
    let server = try await HTTP3TestServer.start(
      configure: { $0.clientCertificates = policy }, handler: Self.fingerprint)
    let own = ServerIdentity(
      certificatePEM: server.certificate.certificatePEM, privateKeyPEM: server.certificate.privateKeyPEM)
    #expect(throws: TransportError.self) { try server.server.use([own], clientAuthoritiesPEM: "none") }
    try server.server.use([own])
    let before = server.makeTransport(tls: tls(server, robot.identity))
    #expect(try await Self.answer(before) == Self.fingerprint(of: robot))
    try server.server.use([own], clientAuthoritiesPEM: other.certificatePEM)
    #expect(try await Self.answer(before) == Self.fingerprint(of: robot))
    let late = server.makeTransport(tls: tls(server, robot.identity))
    let error = await #expect(throws: TransportError.self) { try await Self.answer(late) }
    #expect(error?.wireCode == "TLS alert 48", "\(String(describing: error))")
    let issued = try other.issue()
    let after = server.makeTransport(tls: tls(server, issued.identity))
    #expect(try await Self.answer(after) == Self.fingerprint(of: issued))
    for transport in [before, late, after] { await transport.close() }
    await server.server.close()
  }

  @Test func aServerWithoutAPolicyTakesNoAuthorities() async throws {
    let server = try await HTTP3TestServer.start()
    let own = ServerIdentity(
      certificatePEM: server.certificate.certificatePEM, privateKeyPEM: server.certificate.privateKeyPEM)
    let error = #expect(throws: TransportError.self) {
      try server.server.use([own], clientAuthoritiesPEM: authority.certificatePEM)
    }
    #expect(error?.message.contains("asks its clients for no certificates") == true)
    await server.server.close()
  }

  struct Mistake: CustomTestStringConvertible {
    var testDescription: String
    var words: String
    var identity: @Sendable (_ robot: TestAuthority.Issued, _ other: TestAuthority.Issued) -> ClientIdentity
  }

  static let mistakes = [
    Mistake(testDescription: "another's key", words: "The private key is not the one of the certificate") {
      .pem(certificateChain: $0.certificatePEM, privateKey: $1.privateKeyPEM)
    },
    Mistake(testDescription: "no key", words: "Both must be PEM and belong together") { robot, _ in
      .pem(certificateChain: robot.certificatePEM, privateKey: "")
    },
    Mistake(testDescription: "no certificate", words: "Both must be PEM and belong together") { robot, _ in
      .pem(certificateChain: "x", privateKey: robot.privateKeyPEM)
    },
    Mistake(testDescription: "no file", words: "/nowhere/chain.pem cannot be opened") { _, _ in
      .files(certificateChain: "/nowhere/chain.pem", privateKey: "/nowhere/key.pem")
    },
  ]

  /// Before anything is sent, over both transports alike.
  @Test(arguments: mistakes)
  func aPairThatCannotBeUsedIsNamed(_ mistake: Mistake) async throws {
    let tls = TLSOptions(identity: mistake.identity(robot, try authority.issue()))
    let transports: [any HTTPTransport] = [
      HTTP3Transport(origin: .closed, tls: tls, logger: .quiet),
      HTTP1Transport(origin: .closed, tls: tls, logger: .quiet),
    ]
    for transport in transports {
      let error = await #expect(throws: TransportError.self) { try await transport.connect() }
      #expect(error?.code == .tls)
      #expect(error?.message.contains(mistake.words) == true, "\(String(describing: error))")
      await transport.close()
    }
  }

  @Test func aCertificateIsRead() throws {
    let certificate = try #require(ClientCertificate(der: robot.der))
    #expect(certificate.subject == "CN=robot 7,O=Example")
    #expect(certificate.names == [.dns("robot-7.example.org"), .uri("spiffe://example.org/robot/7")])
    #expect(certificate.sha256.count == 32 && certificate.fingerprint.count == 95)
    #expect(certificate.isValid(at: Date(timeIntervalSinceNow: 0)))
    #expect(!certificate.isValid(at: Date(timeIntervalSinceNow: 7_200)))
    #expect(!certificate.isValid(at: Date(timeIntervalSinceNow: -7_200)))
  }

  @Test func addressesAmongTheNamesAreRead() throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["a.example", "192.0.2.7", "2001:db8::7"])
    let base64 = certificate.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    let der = try #require(Data(base64Encoded: base64))
    let names = try #require(ClientCertificate(der: Array(der))).names
    #expect(names == [.dns("a.example"), .address("192.0.2.7"), .address("2001:db8::7")])
  }

  @Test func whatIsNoCertificateIsRefused() {
    #expect(ClientCertificate(der: []) == nil)
    for count in stride(from: 0, to: robot.der.count, by: 5) {
      #expect(ClientCertificate(der: Array(robot.der.prefix(count))) == nil)
    }
    // Whatever a damaged one is, it is no trap.
    for index in stride(from: 0, to: robot.der.count, by: 3) {
      var damaged = robot.der
      damaged[index] ^= 0x21
      _ = ClientCertificate(der: damaged)
    }
  }
}
