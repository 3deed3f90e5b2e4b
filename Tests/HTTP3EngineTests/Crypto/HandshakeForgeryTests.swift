import HTTP3Engine
import LinkModel
import StreamTransport
import TestSupport
import Testing

/// Initial and Handshake packets with CRYPTO bytes that no handshake has.
@Suite struct HandshakeForgeryTests {
  private static func crypto(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    Wire.quic(6, UInt64(offset), UInt64(bytes.count), then: bytes)
  }

  /// The server's verdict on a handshake in which one of the client's packets carries these frames in place of its
  /// own.
  private static func verdict(
    inInitial: Bool, _ frames: [UInt8], clients: ClientAuthentication? = nil
  ) throws -> HTTP3Error? {
    var server = try QUICPair.serverConfiguration()
    var client = try QUICPair.clientConfiguration { $0.connection.isRaw = true }
    if let clients {
      server.credentials = try ServerCredentials([loaded(TestCertificate.ed25519)], clients: clients)
      // Its own flight is as long as a packet, and the forgery has room in it.
      let issued = try TestAuthority().intermediate().issue()
      client.identity = try LoadedCredentials(
        certificateChainPEM: Array(issued.certificatePEM.utf8), privateKeyPEM: Array(issued.privateKeyPEM.utf8))
    }
    let pair = try QUICPair(client: client, server: server)
    var verdict: HTTP3Error?
    pair.onServer = { _, event in
      if case .handshakeCompleted = event { Issue.record("The handshake is complete.") }
      if case .closed(let error) = event, error.side == .local { verdict = verdict ?? error }
    }
    pair.client.raw?.forgeHandshake(frames, inInitial: inInitial)
    try pair.run(for: .seconds(9))
    return verdict
  }

  private static func loaded(_ certificate: DevelopmentCertificate) throws -> LoadedCredentials {
    try LoadedCredentials(
      certificateChainPEM: Array(certificate.certificatePEM.utf8), privateKeyPEM: Array(certificate.privateKeyPEM.utf8))
  }

  private static func demand(_ demand: ClientAuthentication.Demand) throws -> ClientAuthentication {
    try ClientAuthentication(
      demand, authoritiesPEM: Array(TestCertificate.p256.certificatePEM.utf8), isReadable: { _ in true })
  }

  struct Flight: CustomTestStringConvertible {
    var testDescription: String
    /// TLS's messages, by type.
    var messages: [(type: UInt8, body: [UInt8])]
    /// Nil for any.
    var alert: UInt8?
    var words = ""
  }

  private static let leaf = CertificateBytes.rsa(modulusCount: 256, exponentCount: 3)
  private static let finished: (type: UInt8, body: [UInt8]) = (20, [UInt8](repeating: 1, count: 32))
  /// By RSASSA-PSS with SHA-256 (RFC 8446 § 4.2.3), and false.
  private static let signature: (type: UInt8, body: [UInt8]) =
    (15, [0x08, 0x04, 1, 0] + [UInt8](repeating: 5, count: 256))

  static let flights = [
    Flight(testDescription: "Finished alone", messages: [finished], alert: 10),
    Flight(testDescription: "an empty Certificate", messages: [(11, [0, 0, 0, 0]), finished], alert: 116),
    Flight(
      testDescription: "no CertificateVerify", messages: [(11, CertificateBytes.message([leaf])), finished], alert: 10),
    Flight(
      testDescription: "a false signature", messages: [(11, CertificateBytes.message([leaf])), signature, finished]),
    Flight(
      testDescription: "a key that takes long",
      messages: [
        (11, CertificateBytes.message([CertificateBytes.rsa(modulusCount: 256, exponentCount: 128)])), signature,
      ],
      alert: 42, words: "too long"),
    Flight(
      testDescription: "too many certificates",
      messages: [(11, CertificateBytes.message([[UInt8]](repeating: [0x30, 0], count: 17))), signature], alert: 42,
      words: "more than 16"),
    Flight(
      testDescription: "no certificate in DER",
      messages: [(11, CertificateBytes.message([[0x30, 3, 1, 1, 0]])), signature]),
    Flight(testDescription: "a list without its end", messages: [(11, [0, 0, 0, 9, 0, 0, 90, 0x30, 0]), signature]),
    Flight(testDescription: "a context", messages: [(11, [2, 7, 7, 0, 0, 0]), signature]),
  ]

  /// At a server that requires a certificate.
  @Test(arguments: flights)
  func aFalseCertificateEndsTheHandshake(_ flight: Flight) throws {
    let bytes = flight.messages.flatMap { type, body -> [UInt8] in
      [type, 0, UInt8(body.count >> 8), UInt8(body.count & 0xff)] + body
    }
    let found = try Self.verdict(inInitial: false, Self.crypto(0, bytes), clients: Self.demand(.required))
    guard case .tlsAlert(let alert) = found?.code else {
      Issue.record("\(String(describing: found))")
      return
    }
    if let expected = flight.alert { #expect(alert == expected, "\(String(describing: found))") }
    #expect(found?.message.contains(flight.words) == true || flight.words.isEmpty, "\(String(describing: found))")
  }

  @Test func certificatesBeyondWhatIsKeptEndTheConnection() throws {
    let found = try Self.verdict(
      inInitial: false, Self.crypto(0, [11, 0, 0x80, 1, 0]), clients: Self.demand(.requested))
    #expect(found?.code == .transport(.cryptoBufferExceeded))
  }

  @Test func aKeyUpdateInAHandshakePacketEndsTheConnection() throws {
    let found = try Self.verdict(inInitial: false, Self.crypto(0, [24, 0, 0, 1, 0]))
    #expect(found?.code == .tlsAlert(10))
  }

  @Test(arguments: [true, false])
  func bytesFarAheadEndTheConnection(_ inInitial: Bool) throws {
    let found = try Self.verdict(inInitial: inInitial, Self.crypto(64 << 10, [0]))
    #expect(found?.code == .transport(QUICErrorCode(rawValue: 0xd)))
  }

  @Test func gapsEndTheConnection() throws {
    let found = try Self.verdict(inInitial: true, (0..<65).flatMap { Self.crypto(2_000 + $0 * 2, [0]) })
    #expect(found?.code == .transport(QUICErrorCode(rawValue: 0xd)))
  }

  /// GnuTLS would keep it, and read it with the next ticket.
  @Test(arguments: [true, false])
  func aKeyUpdateBehindFinishedEndsTheConnection(_ attacksServer: Bool) throws {
    let keyUpdate = [24, 0, 0, 1, 0] as [UInt8]
    let pair = try QUICPair.make(
      clientLimits: {
        $0.isRaw = attacksServer
        if attacksServer { $0.rawBehindFinished = keyUpdate }
      },
      server: {
        $0.connection.isRaw = !attacksServer
        if !attacksServer { $0.connection.rawBehindFinished = keyUpdate }
      })
    var verdict: HTTP3Error?
    let note = { (event: HTTP3Event) in
      if case .closed(let error) = event, error.side == .local { verdict = verdict ?? error }
    }
    if attacksServer { pair.onServer = { note($1) } } else { pair.onClient = note }
    try pair.run(for: .seconds(2))
    #expect(verdict?.code == .tlsAlert(10))
  }
}
