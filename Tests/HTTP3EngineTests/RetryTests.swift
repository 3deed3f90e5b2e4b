import HTTP3Engine
import TestSupport
import Testing

/// Retry and the tokens that spare it (RFC 9000 § 8.1). The plain link has a round trip of 40 ms.
@Suite struct RetryTests {
  /// Virtual time from the first datagram to the client's handshake.
  private static func handshakeTime(_ pair: QUICPair) throws -> Duration {
    let client = RequestClient(on: pair)
    let start = pair.now
    try pair.run { client.handshake != nil }
    return pair.now - start
  }

  private static func pair(_ policy: AddressValidationPolicy) throws -> QUICPair {
    try QUICPair.make(server: { $0.addressValidation = policy })
  }

  @Test func aServerThatAsksCostsOneRoundTrip() throws {
    let plain = try Self.handshakeTime(Self.pair(.whenBusy(handshakes: 100)))
    let pair = try Self.pair(.always)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1000")
    let start = pair.now
    try pair.run { client.handshake != nil }
    #expect(pair.now - start == plain + .milliseconds(40))
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(1_000))
    #expect(server.requests.count == 1)
  }

  @Test func theTokenOfAnEarlierConnectionSparesTheRetry() throws {
    let pair = try Self.pair(.always)
    let first = RequestClient(on: pair)
    try pair.run { !first.tokens.isEmpty }
    let token = first.tokens[0]
    try pair.replaceClient(QUICPair.clientConfiguration { $0.token = token })
    let second = RequestClient(on: pair)
    let start = pair.now
    try pair.run { second.handshake != nil }
    #expect(pair.now - start == .milliseconds(40))
    try pair.run { !second.tokens.isEmpty }
    // Of a server that was started again, it is worth nothing and does no harm.
    let unused = second.tokens[0]
    pair.replaceServer(try QUICPair.serverConfiguration { $0.addressValidation = .always })
    try pair.replaceClient(QUICPair.clientConfiguration { $0.token = unused })
    #expect(try Self.handshakeTime(pair) == .milliseconds(80))
  }

  /// RFC 9000 § 8.1.4: an observer of a token gains nothing with it.
  @Test func aTokenSparesOneRetry() throws {
    let pair = try Self.pair(.always)
    let first = RequestClient(on: pair)
    try pair.run { !first.tokens.isEmpty }
    let token = first.tokens[0]
    for expected in [40, 80, 80] {
      try pair.replaceClient(QUICPair.clientConfiguration { $0.token = token })
      #expect(try Self.handshakeTime(pair) == .milliseconds(expected))
    }
  }

  /// First bytes of 0xb7 and 0x36 are those of our own tokens.
  @Test(arguments: [
    [0], [0xb6], [0xb7], [0x36], [0xb7] + Array(repeating: 7, count: 89), Array(repeating: 0x36, count: 41),
  ])
  func aTokenOfAnotherServersIsAsGoodAsNone(_ token: [UInt8]) throws {
    let pair = try Self.pair(.always)
    try pair.replaceClient(QUICPair.clientConfiguration { $0.token = token })
    #expect(try Self.handshakeTime(pair) == .milliseconds(80))
  }

  @Test func handshakesThatStandStillMakeOthersProveTheirAddress() throws {
    let pair = try Self.pair(.whenBusy(handshakes: 3))
    for seed in 1...3 { pair.injectToServer(try Self.firstDatagram(seed: UInt64(seed))) }
    #expect(try Self.handshakeTime(pair) == .milliseconds(80))
    #expect(pair.server.connectionCount == 4)
  }

  @Test func forgedFirstPacketsFillNoMemory() throws {
    let pair = try Self.pair(.whenBusy(handshakes: 10))
    let client = RequestClient(on: pair)
    for seed in 1...500 {
      pair.injectToServer(try Self.firstDatagram(seed: UInt64(seed)))
      try pair.run(for: .milliseconds(1))
    }
    // Ten that stand still, and the client that came among them.
    #expect(pair.server.connectionCount == 11)
    #expect(client.handshake != nil)
  }

  /// Forged handshakes end at once, and what is kept of them for a while counts like stalled ones.
  @Test func forgedHandshakesThatFailKeepNobodyOut() throws {
    let pair = try QUICPair.make(server: {
      $0.addressValidation = .whenBusy(handshakes: 5)
      $0.maximumConnections = 20
    })
    pair.onClientDatagram = { _ in false }
    for seed in 1...100 {
      // Of a protocol that the server does not speak.
      pair.injectToServer(try Self.firstDatagram(seed: UInt64(seed)) { $0.mapping = .http09 })
      try pair.run(for: .milliseconds(1))
    }
    #expect(pair.server.connectionCount <= 6)
    pair.onClientDatagram = { _ in true }
    try pair.replaceClient(QUICPair.clientConfiguration())
    #expect(try Self.handshakeTime(pair) == .milliseconds(80))
  }

  /// A Retry's token opens the way for the address alone that it was sent to.
  @Test func aRetryTokenOfAnotherAddressIsRefused() throws {
    let pair = try Self.pair(.always)
    var datagrams: [[UInt8]] = []
    pair.onClientDatagram = {
      datagrams.append($0)
      return datagrams.count == 1
    }
    try pair.run(for: .milliseconds(50))
    #expect(datagrams.count == 2)
    pair.injectToServer(datagrams[1], fromPort: 50_000)
    try pair.run(for: .milliseconds(30))
    #expect(pair.server.connectionCount == 0)
    pair.injectToServer(datagrams[1])
    try pair.run(for: .milliseconds(30))
    #expect(pair.server.connectionCount == 1)
  }

  /// A ClientHello in two datagrams whose first comes late: without proof of the address nothing is kept.
  @Test func aLaterPartOfAClientHelloIsAnsweredWithRetry() throws {
    let pair = try Self.pair(.whenBusy(handshakes: 100))
    // A long token leaves too little room for a ClientHello in one datagram.
    try pair.replaceClient(QUICPair.clientConfiguration { $0.token = Array(repeating: 1, count: 900) })
    var count = 0
    pair.onClientDatagram = { _ in
      count += 1
      return count > 1
    }
    let time = try Self.handshakeTime(pair)
    // The Retry came, and its answer was served, well before the first datagram was sent again after its time-out.
    #expect(time < .milliseconds(150))
  }

  private static func firstDatagram(
    seed: UInt64, _ change: (inout ConnectionConfiguration) -> Void = { _ in }
  ) throws -> [UInt8] {
    let path = NetworkPath(
      local: NetworkAddress(ip: .v4(0x0a00_0003), port: 1), remote: NetworkAddress(ip: .v4(0x0a00_0002), port: 443))
    let now = Timestamp(nanoseconds: 1_000_000_000)
    var configuration = try QUICPair.clientConfiguration()
    change(&configuration.connection)
    let client = try HTTP3Connection.client(
      configuration, path: path, at: now, random: RandomSource(SeededGenerator(seed: seed)))
    var batch = DatagramBatch()
    defer { batch.deallocate() }
    _ = client.fill(&batch, at: now)
    return Array(batch.segment(at: 0))
  }
}
