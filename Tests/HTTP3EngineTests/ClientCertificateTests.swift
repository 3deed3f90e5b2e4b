import Foundation
import HTTP3Engine
import StreamTransport
import TestSupport
import Testing

/// Servers that ask their clients for certificates, and clients that have some, or none.
@Suite struct ClientCertificateTests {
  private static let authority = made { try TestAuthority() }
  private static let robot = made { try authority.issue() }
  private static let secret = [UInt8](repeating: 7, count: 32)

  private static func made<Value>(_ body: () throws -> Value) -> Value {
    do {
      return try body()
    } catch {
      preconditionFailure("A test certificate could not be made: \(error)")
    }
  }

  private static func demand(
    _ demand: ClientAuthentication.Demand, _ authority: TestAuthority = Self.authority,
    isReadable: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) throws -> ClientAuthentication {
    try ClientAuthentication(demand, authoritiesPEM: Array(authority.certificatePEM.utf8), isReadable: isReadable)
  }

  private static func server(
    _ clients: ClientAuthentication?, secrets: [[UInt8]] = []
  ) throws -> ServerConfiguration {
    var server = try QUICPair.serverConfiguration { $0.secrets = secrets }
    server.credentials = try ServerCredentials([Self.credentials()], clients: clients)
    return server
  }

  private static func credentials() throws -> LoadedCredentials {
    let certificate = TestCertificate.ed25519
    return try LoadedCredentials(
      certificateChainPEM: Array(certificate.certificatePEM.utf8), privateKeyPEM: Array(certificate.privateKeyPEM.utf8))
  }

  private static func client(
    _ issued: TestAuthority.Issued?, ticket: ResumptionTicket? = nil
  ) throws -> ClientConfiguration {
    var client = try QUICPair.clientConfiguration { $0.ticket = ticket }
    client.identity = try issued.map {
      try LoadedCredentials(
        certificateChainPEM: Array($0.certificatePEM.utf8), privateKeyPEM: Array($0.privateKeyPEM.utf8))
    }
    return client
  }

  /// A request's outcome: what the server knows of its client, or what both say of the connection's end.
  private struct Outcome {
    var certificates: [[UInt8]] = []
    var served = 0
    /// On the server and on the client.
    var ends: [HTTP3Error] = []
  }

  private static func outcome(_ pair: QUICPair) throws -> Outcome {
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1000")
    try pair.run { client.isDone }
    // Until the end has come to the other side, too.
    try pair.run(for: .milliseconds(100))
    var outcome = Outcome(
      served: server.requests.count, ends: server.connectionErrors + [client.closed].compactMap { $0 })
    if let key = server.keys.first { outcome.certificates = pair.server.connection(key)?.clientCertificates ?? [] }
    if server.requests.isEmpty { #expect(server.keys.isEmpty, "A client that is refused completes no handshake.") }
    return outcome
  }

  @Test(arguments: [ClientAuthentication.Demand.requested, .required])
  func aClientWithAGoodCertificateIsKnown(_ demand: ClientAuthentication.Demand) throws {
    let pair = try QUICPair(client: Self.client(Self.robot), server: Self.server(Self.demand(demand)))
    let outcome = try Self.outcome(pair)
    #expect(outcome.served == 1 && outcome.ends.isEmpty)
    #expect(outcome.certificates == [Self.robot.der])
  }

  @Test func aChainBehindTheCertificateLeadsToTheAuthority() throws {
    let issued = try Self.authority.intermediate("First").intermediate("Second").issue()
    let pair = try QUICPair(client: Self.client(issued), server: Self.server(Self.demand(.required)))
    let outcome = try Self.outcome(pair)
    #expect(outcome.served == 1 && outcome.certificates.count == 3)
    #expect(outcome.certificates.first == issued.der)
  }

  /// A certificate that names no purpose is good for any (RFC 5280 § 4.2.1.12).
  @Test func aCertificateWithoutAPurposeIsTaken() throws {
    let issued = try Self.authority.issue(purpose: nil)
    let pair = try QUICPair(client: Self.client(issued), server: Self.server(Self.demand(.required)))
    #expect(try Self.outcome(pair).served == 1)
  }

  struct Row: CustomTestStringConvertible {
    var testDescription: String
    /// TLS's alert, and a part of the server's sentence.
    var alert: UInt8
    var words: String
    var issued: @Sendable () throws -> TestAuthority.Issued
  }

  static let rows = [
    Row(testDescription: "expired", alert: 45, words: "has expired") {
      try authority.issue(
        notBefore: Date(timeIntervalSinceNow: -7_200), notAfter: Date(timeIntervalSinceNow: -3_600))
    },
    Row(testDescription: "not yet valid", alert: 45, words: "not yet valid") {
      try authority.issue(notBefore: Date(timeIntervalSinceNow: 3_600), notAfter: Date(timeIntervalSinceNow: 7_200))
    },
    Row(testDescription: "of another authority", alert: 48, words: "signed by no authority") {
      try TestAuthority("Another").issue()
    },
    Row(testDescription: "of an authority with the same name", alert: 42, words: "was not signed by it") {
      try TestAuthority().issue()
    },
    Row(testDescription: "of an intermediate that is not sent", alert: 48, words: "signed by no authority") {
      let issued = try authority.intermediate().issue()
      let leaf = try #require(issued.certificatePEM.firstRange(of: "-----END CERTIFICATE-----\n"))
      return TestAuthority.Issued(
        certificatePEM: String(issued.certificatePEM[..<leaf.upperBound]), privateKeyPEM: issued.privateKeyPEM,
        der: issued.der)
    },
    Row(testDescription: "a server's", alert: 43, words: "not one for a client") {
      try authority.issue(purpose: .server)
    },
  ]

  @Test(arguments: rows, [ClientAuthentication.Demand.requested, .required])
  func aBadCertificateIsRefusedByItsAlertBeforeAnyRequest(_ row: Row, _ demand: ClientAuthentication.Demand) throws {
    let pair = try QUICPair(client: Self.client(row.issued()), server: Self.server(Self.demand(demand)))
    let outcome = try Self.outcome(pair)
    #expect(outcome.served == 0)
    #expect(outcome.ends.map(\.code) == [.tlsAlert(row.alert), .tlsAlert(row.alert)], "\(outcome.ends)")
    #expect(outcome.ends.map(\.side) == [.local, .remote])
    #expect(outcome.ends.first?.message.contains(row.words) == true, "\(outcome.ends)")
  }

  @Test func aClientWithoutACertificateIsServedWhereNoneIsRequired() throws {
    let requested = try QUICPair(client: Self.client(nil), server: Self.server(Self.demand(.requested)))
    let served = try Self.outcome(requested)
    #expect(served.served == 1 && served.certificates.isEmpty)
    let required = try QUICPair(client: Self.client(nil), server: Self.server(Self.demand(.required)))
    let refused = try Self.outcome(required)
    #expect(refused.served == 0)
    #expect(refused.ends.map(\.code) == [.tlsAlert(116), .tlsAlert(116)], "\(refused.ends)")
    #expect(refused.ends.last?.message.contains("requires a certificate") == true)
  }

  /// One that the application could not be shown would pass for none.
  @Test(arguments: [ClientAuthentication.Demand.requested, .required])
  func aCertificateThatCannotBeReadIsRefused(_ demand: ClientAuthentication.Demand) throws {
    let clients = try Self.demand(demand) { $0 != Self.robot.der }
    let pair = try QUICPair(client: Self.client(Self.robot), server: Self.server(clients))
    let outcome = try Self.outcome(pair)
    #expect(outcome.served == 0)
    #expect(outcome.ends.first?.code == .tlsAlert(42))
  }

  /// A client that was not asked and sent a Certificate all the same would be refused as one that sends it out of order.
  @Test func aCertificateIsNotShownToAServerThatDoesNotAsk() throws {
    let pair = try QUICPair(client: Self.client(Self.robot), server: Self.server(nil))
    let outcome = try Self.outcome(pair)
    #expect(outcome.served == 1 && outcome.certificates.isEmpty && outcome.ends.isEmpty)
  }

  @Test func thereAreNoTickets() throws {
    let pair = try QUICPair(client: Self.client(Self.robot), server: Self.server(Self.demand(.required)))
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone && !client.tokens.isEmpty }
    try pair.run(for: .seconds(1))
    #expect(server.requests.count == 1)
    #expect(client.tickets.isEmpty)
  }

  /// Tickets of a server that asked nobody, under a secret that the next one has too, are worth nothing to that one:
  /// neither their session nor their early data.
  @Test(arguments: [ClientAuthentication.Demand.requested, .required], [true, false])
  func aTicketStandsForNoCertificate(_ demand: ClientAuthentication.Demand, _ hasCertificate: Bool) throws {
    let pair = try QUICPair(client: Self.client(nil), server: Self.server(nil, secrets: [Self.secret]))
    let server = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { first.tickets.count >= 2 }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(2))
    pair.replaceServer(try Self.server(Self.demand(demand), secrets: [Self.secret]))
    try pair.replaceClient(Self.client(hasCertificate ? Self.robot : nil, ticket: first.tickets[0]))
    #expect(pair.client.isSendingEarlyData)
    let client = RequestClient(on: pair)
    client.repeatsRefusedRequests = true
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    try pair.run(for: .milliseconds(100))
    #expect(server.earlyRequests == 0)
    #expect(client.handshake?.isResumed != true)
    let isServed = hasCertificate || demand == .requested
    #expect(server.requests.count == (isServed ? 1 : 0))
    #expect(client.closed?.code == (isServed ? nil : .tlsAlert(116)))
    let known = server.keys.last.flatMap { pair.server.connection($0)?.clientCertificates.first }
    #expect(known == (hasCertificate ? Self.robot.der : nil))
  }

  @Test func otherAuthoritiesHoldFromTheNextHandshakeOn() throws {
    let server = try Self.server(Self.demand(.required))
    let other = try TestAuthority("Another")
    // Other certificates alone change nothing for clients.
    try server.credentials.replace(with: [Self.credentials()])
    #expect(try Self.outcome(QUICPair(client: Self.client(Self.robot), server: server)).served == 1)
    try server.credentials.replace(with: [Self.credentials()], clients: Self.demand(.required, other))
    #expect(try Self.outcome(QUICPair(client: Self.client(Self.robot), server: server)).served == 0)
    #expect(try Self.outcome(QUICPair(client: Self.client(other.issue()), server: server)).served == 1)
  }

  @Test func authoritiesThatCannotBeReadAreRefused() {
    for text in ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
      #expect(throws: HTTP3Error.self) {
        try ClientAuthentication(.required, authoritiesPEM: Array(text.utf8)) { _ in true }
      }
    }
  }

  @Test func aKeyOfAnotherCertificateIsNamedAsSuch() throws {
    let other = try Self.authority.issue()
    let error = #expect(throws: HTTP3Error.self) {
      try LoadedCredentials(
        certificateChainPEM: Array(Self.robot.certificatePEM.utf8), privateKeyPEM: Array(other.privateKeyPEM.utf8))
    }
    #expect(error?.message.contains("is not the one of the certificate") == true)
  }
}
