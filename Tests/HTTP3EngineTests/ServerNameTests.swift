import HTTP3Engine
import StreamTransport
import TestSupport
import Testing

/// The choice among a server's certificates by the name that a client asks for.
@Suite struct ServerNameTests {
  struct Row: CustomTestStringConvertible {
    var name: String?
    var index: Int
    var testDescription: String { name.map { String($0.prefix(40)).debugDescription } ?? "none" }
  }

  private static let index = ServerNameIndex([
    ["default.example"], ["*.example.com", "example.com"], ["www.example.com", "WWW.Example.NET"],
    ["*.example.com", "b.example"],
    ["f*.example.org", "*", "*.*.example.io", "", "bad name.example"],
  ])

  static let rows: [Row] = [
    Row(name: nil, index: 0), Row(name: "default.example", index: 0), Row(name: "unknown.example", index: 0),
    Row(name: "example.com", index: 1), Row(name: "a.example.com", index: 1), Row(name: "A.EXAMPLE.COM", index: 1),
    // The name itself goes before a wildcard, of whatever certificate.
    Row(name: "www.example.com", index: 2), Row(name: "www.example.com.", index: 2),
    Row(name: "www.example.net", index: 2),
    Row(name: "b.example", index: 3),
    // One label, and a whole one.
    Row(name: "a.b.example.com", index: 0), Row(name: ".example.com", index: 0), Row(name: "foo.example.org", index: 0),
    // No name at all, or no DNS name.
    Row(name: "", index: 0), Row(name: ".", index: 0), Row(name: "..", index: 0), Row(name: "a..example.com", index: 0),
    Row(name: "www.example.com\0", index: 0), Row(name: "www.example.com\0.evil.example", index: 0),
    Row(name: "ｗｗｗ.example.com", index: 0), Row(name: "www.example.com\u{301}", index: 0),
    Row(name: "a b.example.com", index: 0),
    Row(name: String(repeating: "a", count: 65_535), index: 0),
    Row(name: String(repeating: "a", count: 300) + ".example.com", index: 0),
    Row(name: String(repeating: "a", count: 241) + ".example.com", index: 1),
    Row(name: "bad name.example", index: 0), Row(name: "127.0.0.1", index: 0),
  ]

  @Test(arguments: rows)
  func aNameHasItsCertificate(_ row: Row) {
    #expect(Self.index.index(for: row.name) == row.index)
  }

  @Test func withoutCertificatesThereAreNoCredentials() throws {
    #expect(throws: HTTP3Error.self) { try ServerCredentials([]) }
    let credentials = try ServerCredentials([Self.loaded(TestCertificate.ed25519)])
    #expect(throws: HTTP3Error.self) { try credentials.replace(with: []) }
  }

  private static let exact = DevelopmentCertificate.forTests("www.example.com", "second.example")
  private static let wildcard = DevelopmentCertificate.forTests("*.example.com")

  private static func loaded(_ certificate: DevelopmentCertificate) throws -> LoadedCredentials {
    try LoadedCredentials(
      certificateChainPEM: Array(certificate.certificatePEM.utf8), privateKeyPEM: Array(certificate.privateKeyPEM.utf8))
  }

  /// A client that trusts one certificate alone gets just that.
  private static func isPresented(
    _ certificate: DevelopmentCertificate, to host: String, by server: ServerConfiguration
  ) throws
    -> Bool
  {
    let pair = try QUICPair(
      client: QUICPair.clientConfiguration(
        host: host, certificate: certificate, trust: .pinned(sha256: certificate.sha256)), server: server)
    let peer = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone || client.closed != nil }
    #expect(peer.keys.count == 1 || client.closed != nil)
    return client.closed == nil
  }

  @Test(arguments: [
    ("www.example.com", exact), ("WWW.EXAMPLE.COM", exact), ("second.example", exact), ("a.example.com", wildcard),
    ("a.b.example.com", TestCertificate.ed25519), ("localhost", TestCertificate.ed25519),
    ("127.0.0.1", TestCertificate.ed25519),
    ("unknown.example", TestCertificate.ed25519),
  ])
  func aHandshakeShowsTheCertificateOfTheName(_ host: String, _ expected: DevelopmentCertificate) throws {
    var server = try QUICPair.serverConfiguration()
    server.credentials = try ServerCredentials([TestCertificate.ed25519, Self.wildcard, Self.exact].map(Self.loaded))
    #expect(try Self.isPresented(expected, to: host, by: server))
    for other in [TestCertificate.ed25519, Self.wildcard, Self.exact] where other != expected {
      #expect(try !Self.isPresented(other, to: host, by: server))
    }
  }

  @Test func aReplacementIsOneOfAll() throws {
    var server = try QUICPair.serverConfiguration()
    server.credentials = try ServerCredentials([Self.loaded(TestCertificate.ed25519), Self.loaded(Self.exact)])
    #expect(try Self.isPresented(Self.exact, to: "www.example.com", by: server))
    try server.credentials.replace(with: [Self.loaded(Self.wildcard)])
    #expect(try Self.isPresented(Self.wildcard, to: "www.example.com", by: server))
    #expect(try Self.isPresented(Self.wildcard, to: "localhost", by: server))
  }
}

extension DevelopmentCertificate {
  fileprivate static func forTests(_ hosts: String...) -> DevelopmentCertificate {
    do {
      return try make(hosts: hosts, key: .ed25519)
    } catch {
      preconditionFailure("A test certificate could not be made: \(error)")
    }
  }
}
