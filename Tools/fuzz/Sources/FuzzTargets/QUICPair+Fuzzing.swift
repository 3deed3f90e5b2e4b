import EnginePair
import HTTP3Engine

extension QUICPair {
  /// A pair with a certificate for `localhost` that was made once, so that an input gives the same packets in every run.
  /// Its key protects nothing. The caller gets all events after the opening.
  ///
  /// - Parameter rawSide: who writes what it likes: the client, the server, or neither.
  static func fuzzed(_ opening: FuzzedOpening, seed: UInt64, rawSide: RawSide = .neither) throws -> QUICPair {
    let verifier = try CertificateVerifier(.authorities(pem: Array(certificate.utf8))) { 0 }
    var client = ClientConfiguration(host: "localhost", verifier: verifier)
    opening.apply(to: &client)
    var server = ServerConfiguration(
      credentials: try ServerCredentials(
        certificateChainPEM: Array(certificate.utf8), privateKeyPEM: Array(key.utf8)))
    opening.apply(to: &server)
    guard opening.past != .none else {
      client.connection.isRaw = rawSide == .client
      server.connection.isRaw = rawSide == .server
      // Its CRYPTO stream of 1-RTT packets is then the attacker's from the first byte on.
      if rawSide == .server { server.ticketsPerConnection = 0 }
      return try QUICPair(seed: seed, conditions: opening.conditions, client: client, server: server)
    }
    let pair = try QUICPair(seed: seed, conditions: opening.conditions, client: client, server: server)
    let first = RequestClient(on: pair)
    try pair.run { first.handshake != nil }
    // Tickets and tokens come with what follows the handshake; where the version was changed there are none.
    try pair.run(for: .seconds(1))
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(2))
    if opening.past != .ticket { client.token = first.tokens.last }
    if opening.past != .token { client.ticket = first.tickets.last }
    client.connection.isRaw = rawSide == .client
    server.connection.isRaw = rawSide == .server
    if opening.past == .restart || rawSide == .server { pair.replaceServer(server) }
    try pair.replaceClient(client)
    pair.onClient = { _ in }
    return pair
  }

  enum RawSide {
    case client, server, neither
  }

  /// Takes the client to another address of its own.
  func moveClient(_ order: UInt8) {
    let address = NetworkAddress(ip: .v4(0x0a00_0100 + UInt32(order & 7)), port: 41_000 + UInt16(order >> 3))
    _ = client.migrate(
      to: NetworkPath(local: address, remote: clientPath.remote), order & 0x80 == 0 ? .probed : .immediate, at: now)
  }

  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBfDCCAS6gAwIBAgIUehSjmcKfd1uFwa5JMxiBue+3Oy4wBQYDK2VwMBQxEjAQ
    BgNVBAMMCWxvY2FsaG9zdDAgFw0yNjExMjExMzQ2NDZaGA8yMTI2MTAyODEzNDY0
    NlowFDESMBAGA1UEAwwJbG9jYWxob3N0MCowBQYDK2VwAyEAX+GW6biDnFxb41Kp
    lhVoiVsNlhVqUWm4ezFuZoPkr5mjgY8wgYwwHQYDVR0OBBYEFJzVI58aW7iVuxXO
    4Vr/g6S2ubAuMB8GA1UdIwQYMBaAFJzVI58aW7iVuxXO4Vr/g6S2ubAuMBQGA1Ud
    EQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIC
    hDATBgNVHSUEDDAKBggrBgEFBQcDATAFBgMrZXADQQCWEQq8nKoeTXZ2Io0vL9u5
    mRhzDy6zQO0mLs/wZmr0i6TORNDB9ipQryN9ZUmlLdGfI1jtba1pUU+zZ9shEQ0L
    -----END CERTIFICATE-----

    """

  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEII6iWU28mehOeuJ9/0zJd0crWNj7uW3BnMlxB0YA7213
    -----END PRIVATE KEY-----

    """
}
