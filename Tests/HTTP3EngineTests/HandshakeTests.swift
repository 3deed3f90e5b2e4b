import Foundation
import HTTP3Engine
import StreamTransport
import TestSupport
import Testing

@Suite struct HandshakeTests {
  @Test func aRequestIsAnsweredOverAES128AndX25519() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("POST", "/echo", body: Array("hello".utf8))
    try pair.run { client.isDone }
    let answer = client.answers[0]
    #expect(answer.status == "200")
    #expect(answer.informational == 1)
    #expect(answer.body == Array("hello".utf8))
    #expect(answer.trailers == [HeaderField("x-end", "1")])
    #expect(client.handshake?.version == 1)
    #expect(client.handshake?.cipher == "AES-128-GCM")
    #expect(client.handshake?.group == "X25519")
    #expect(server.requests[0].contains(HeaderField(":authority", "localhost")))
    let statistics = pair.client.statistics
    #expect(statistics.smoothedRoundTrip ?? .zero >= .milliseconds(40))
    #expect(statistics.datagramsSent > 0 && statistics.datagramsReceived > 0)
  }

  /// Two round trips of 40 ms: the pacing of the handshake's last flights holds nothing up.
  @Test func aFirstRequestIsAnsweredAfterTwoRoundTrips() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100")
    let start = pair.now
    try pair.run { client.isDone }
    #expect(pair.now - start < .milliseconds(81))
    #expect(server.requests.count == 1)
  }

  @Test func sameSeedsGiveTheSameDatagrams() throws {
    func counts() throws -> [UInt64] {
      let pair = try QUICPair.make(seed: 7)
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      client.send("GET", "/bytes/50000")
      try pair.run { client.isDone }
      #expect(server.keys.count == 1)
      let statistics = pair.client.statistics
      return [statistics.datagramsSent, statistics.bytesSent, statistics.bytesReceived, pair.now.nanoseconds]
    }
    #expect(try counts() == counts())
  }

  struct Rejection: CustomTestStringConvertible {
    var name: String
    var host = "localhost"
    var certificate = TestCertificate.ed25519
    var trust: CertificateVerifier.Trust?
    var sentence: String
    var testDescription: String { name }
  }

  static let rejections = [
    Rejection(name: "other name", certificate: TestCertificate.otherName, sentence: "another name"),
    Rejection(name: "other address", host: "127.0.0.2", sentence: "another name"),
    Rejection(name: "expired", certificate: TestCertificate.expired, sentence: "expired"),
    Rejection(
      name: "unknown authority",
      trust: .authorities(pem: Array(TestCertificate.p256.certificatePEM.utf8)), sentence: "no authority"),
    Rejection(name: "other pin", trust: .pinned(sha256: .init(repeating: 0, count: 32)), sentence: "pinned"),
    Rejection(
      name: "expired pin", certificate: TestCertificate.expired,
      trust: .pinned(sha256: TestCertificate.expired.sha256), sentence: "expired"),
  ]

  @Test(arguments: rejections)
  func aBadCertificateEndsTheHandshakeBeforeAnythingIsDelivered(_ row: Rejection) throws {
    let pair = try QUICPair.make(host: row.host, certificate: row.certificate, trust: row.trust)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100")
    try pair.run { client.closed != nil && !server.connectionErrors.isEmpty }
    #expect(client.closed?.code == .certificateRejected)
    #expect(client.closed?.message.contains(row.sentence) == true, "\(client.closed?.message ?? "")")
    #expect(client.handshake == nil)
    #expect(client.answers[0].body.isEmpty)
    #expect(server.requests.isEmpty)
    guard case .tlsAlert = server.connectionErrors[0].code else {
      Issue.record("The server received \(server.connectionErrors[0].code) and no alert.")
      return
    }
    #expect(server.connectionErrors[0].side == .remote)
  }

  @Test func anAddressAndAPinAreAccepted() throws {
    for trust in [nil, CertificateVerifier.Trust.pinned(sha256: TestCertificate.ed25519.sha256)] {
      let pair = try QUICPair.make(host: "127.0.0.1", trust: trust)
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      client.send("GET", "/bytes/10")
      try pair.run { client.isDone }
      #expect(client.answers[0].body == EchoServer.pattern(10))
      #expect(server.keys.count == 1)
    }
  }

  /// A pinned certificate is judged by the time that the verifier is given.
  @Test func aPinnedCertificateIsGoodBetweenItsDates() throws {
    let certificate = TestCertificate.expired
    let base64 = certificate.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    let leaf = Array(try #require(Data(base64Encoded: base64)))
    func isAccepted(at time: Date, _ offset: Int) throws -> Bool {
      let verifier = try CertificateVerifier(.pinned(sha256: certificate.sha256)) {
        Int(time.timeIntervalSince1970) + offset
      }
      do {
        try verifier.verify(chain: [leaf], host: "any.example")
        return true
      } catch {
        #expect(error.code == .certificateRejected)
        return false
      }
    }
    #expect(try !isAccepted(at: certificate.notBefore, -2) && isAccepted(at: certificate.notBefore, 2))
    #expect(try isAccepted(at: certificate.notAfter, -2) && !isAccepted(at: certificate.notAfter, 2))
  }

  @Test func secretsAreLoggedOnlyWhenAskedFor() throws {
    let log = KeyLogRecorder()
    let certificate = TestCertificate.ed25519
    var client = ClientConfiguration(
      host: "localhost", verifier: try CertificateVerifier(.pinned(sha256: certificate.sha256)))
    client.keyLog = { log.append($0) }
    let pair = try QUICPair(client: client, server: QUICPair.serverConfiguration())
    let server = EchoServer(on: pair)
    let requests = RequestClient(on: pair)
    requests.send("GET", "/bytes/1")
    try pair.run { requests.isDone }
    #expect(server.keys.count == 1)
    let lines = log.lines
    #expect(lines.contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
    #expect(lines.allSatisfy { $0.split(separator: " ").count == 3 })
  }
}
