import HTTP3Engine
import TestSupport
import Testing

/// QUIC version 2 and the ways to it (RFC 9368, RFC 9369), key updates (RFC 9001 § 6).
@Suite struct VersionTests {
  struct Row: CustomTestStringConvertible {
    var client: [QUICVersion]
    var server: [QUICVersion]
    var agreed: QUICVersion?
    var testDescription: String { "\(client) with \(server)" }
  }

  static let rows = [
    Row(client: [.v1], server: [.v1], agreed: .v1),
    Row(client: [.v2, .v1], server: [.v2, .v1], agreed: .v2),
    Row(client: [.v1, .v2], server: [.v2, .v1], agreed: .v2),
    Row(client: [.v2, .v1], server: [.v1, .v2], agreed: .v1),
    Row(client: [.v2, .v1], server: [.v1], agreed: .v1),
    Row(client: [.v1], server: [.v2, .v1], agreed: .v1),
    Row(client: [.v2], server: [.v1, .v2], agreed: .v2),
    Row(client: [.v1], server: [.v2], agreed: nil),
    Row(client: [.v2], server: [.v1], agreed: nil),
  ]

  @Test(arguments: rows)
  func bothSidesEndWithWhatTheServerPrefersOfTheCommonOnes(_ row: Row) throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.versions = row.client },
      server: {
        $0.connection.versions = row.server
        $0.changesVersion = true
      })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/5000")
    try pair.run { client.isDone }
    if let agreed = row.agreed {
      #expect(client.handshake?.version == agreed.rawValue)
      #expect(client.answers[0].body == EchoServer.pattern(5_000))
    } else {
      #expect(client.closed?.code == .versionNegotiationFailed)
      #expect(server.requests.isEmpty)
    }
  }

  /// Tickets are of one version, so a client that is taken over to another has none for its next connection.
  @Test(arguments: [[QUICVersion.v1, .v2], [.v1], [.v2]])
  func aServerStaysWithTheClientsVersionUnlessConfiguredToChangeIt(_ versions: [QUICVersion]) throws {
    let pair = try QUICPair.make(clientLimits: { $0.versions = versions })
    _ = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    try pair.run { client.tickets.count >= 2 && !client.tokens.isEmpty }
    #expect(client.handshake?.version == versions[0].rawValue)
  }

  /// The change of version takes no round trip of its own.
  @Test func aCompatibleVersionCostsNothing() throws {
    func time(_ versions: [QUICVersion]) throws -> Duration {
      let pair = try QUICPair.make(
        clientLimits: { $0.versions = versions },
        server: {
          $0.connection.versions = versions
          $0.changesVersion = true
        })
      let client = RequestClient(on: pair)
      let start = pair.now
      try pair.run { client.handshake != nil }
      return pair.now - start
    }
    #expect(try time([.v2, .v1]) == time([.v1]))
  }

  @Test func keysAreUpdatedAsOftenAsIsWanted() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    #expect(!pair.client.updateKeys(at: pair.now))
    try pair.run { client.handshake != nil }
    for round in 0..<4 {
      // Three probe time-outs lie between two updates (RFC 9001 § 6.5).
      try pair.run(for: .seconds(1))
      client.send("GET", "/bytes/10")
      try pair.run { client.isDone }
      #expect(pair.client.updateKeys(at: pair.now))
      #expect(!pair.client.updateKeys(at: pair.now))
      client.send("GET", "/bytes/40000")
      try pair.run { client.isDone }
      #expect(client.answers[2 * round + 1].body == EchoServer.pattern(40_000))
    }
    #expect(client.closed == nil)
    #expect(server.connectionErrors.isEmpty)
  }

  /// A server that drops silent connections after 2 s keeps one whose client would wait for 15 s with its PING.
  @Test func aShortIdleTimeOfThePeersIsHeeded() throws {
    let pair = try QUICPair.make(server: { $0.connection.idleTimeout = .seconds(2) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    try pair.run { client.handshake != nil }
    try pair.run(for: .seconds(60))
    #expect(client.closed == nil)
    #expect(server.connectionErrors.isEmpty)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    #expect(client.answers[0].body.count == 10)
  }
}
