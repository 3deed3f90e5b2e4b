import Foundation
import HTTP3Engine
import Logging
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// OCSP responses that a server staples to its certificate, and those that it does not.
@Suite(.timeLimit(.minutes(10)))
struct OCSPStapleTests {
  private static let certificate = TestCertificate.p256

  private static func load(_ response: [UInt8]) throws -> LoadedCredentials {
    try LoadedCredentials(
      certificateChainPEM: Array(certificate.certificatePEM.utf8), privateKeyPEM: Array(certificate.privateKeyPEM.utf8),
      ocsp: (response, Int(Date.now.timeIntervalSince1970)))
  }

  /// What a client of these credentials sees stapled.
  private static func stapled(by credentials: LoadedCredentials) throws -> [UInt8]? {
    var server = try QUICPair.serverConfiguration(certificate)
    server.credentials = try ServerCredentials([credentials])
    let pair = try QUICPair(client: QUICPair.clientConfiguration(certificate: certificate), server: server)
    let peer = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone }
    #expect(peer.requests.count == 1)
    return pair.client.stapledResponse
  }

  @Test func aGoodOneIsStapled() throws {
    let response = try OCSPResponse(Self.certificate).der()
    let credentials = try Self.load(response)
    #expect(credentials.stapleRefusal == nil)
    #expect(try Self.stapled(by: credentials) == response)
  }

  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var sentence: String
    var change: @Sendable (inout OCSPResponse) throws -> Void

    init(_ name: String, _ sentence: String, _ change: @escaping @Sendable (inout OCSPResponse) throws -> Void) {
      testDescription = name
      self.sentence = sentence
      self.change = change
    }
  }

  static let rows = [
    Row("expired", "expired") { $0.nextUpdate = Date(timeIntervalSinceNow: -60) },
    Row("without an end", "when it expires") { $0.nextUpdate = nil },
    Row("of the future", "not valid yet") { $0.thisUpdate = Date(timeIntervalSinceNow: 86_400) },
    Row("revoked", "revoked") { $0.status = .revoked },
    Row("unknown", "does not know") { $0.status = .unknown },
    Row("an error", "answered with an error") { $0.responderStatus = 3 },
    Row("about another", "another certificate") { $0.subject = try DevelopmentCertificate.make() },
    Row("signed by another", "not signed") { $0.signer = try DevelopmentCertificate.make() },
  ]

  @Test(arguments: rows)
  func oneThatDoesNotHelpIsLeftOut(_ row: Row) throws {
    var response = OCSPResponse(Self.certificate)
    try row.change(&response)
    let credentials = try Self.load(response.der())
    #expect(credentials.stapleRefusal?.contains(row.sentence) == true, "\(credentials.stapleRefusal ?? "none")")
    #expect(try Self.stapled(by: credentials) == nil)
  }

  /// Whatever the file holds, the certificate is served.
  @Test func damagedOnesAreLeftOutWithoutHarm() throws {
    let whole = try OCSPResponse(Self.certificate).der()
    var damaged: [[UInt8]] = [[], [0], [UInt8](repeating: 0x30, count: 16_384)]
    for index in stride(from: 0, to: whole.count, by: 3) {
      damaged.append(Array(whole[..<index]))
      var changed = whole
      changed[index] ^= 0x41
      damaged.append(changed)
    }
    var refused = 0
    for response in damaged where try Self.load(response).stapleRefusal != nil { refused += 1 }
    // A change may be in what nobody checks, such as a signer's optional name; the signature has all that counts.
    #expect(refused > damaged.count * 9 / 10)
  }

  /// The log tells why, once for each time that the certificate is read.
  @Test func theLogTellsWhy() async throws {
    let log = LogBook()
    let certificate = Self.certificate
    var response = OCSPResponse(certificate)
    response.nextUpdate = Date(timeIntervalSinceNow: -60)
    let identity = ServerIdentity(
      certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM,
      ocspResponse: try response.der())
    let server = HTTP3Server(
      HTTP3ServerConfiguration(address: "127.0.0.1", port: 0, identities: [identity]), logger: log.logger("server")
    ) { await $0.reset() }
    _ = try await server.start()
    #expect(log.lines.filter { $0.message.contains("is not stapled") }.count == 1)
    try server.use([identity])
    #expect(log.lines.filter { $0.message.contains("is not stapled") }.count == 2)
    await server.close()
  }
}
