import HTTP3Engine
import LinkModel
import StreamTransport
import TestSupport
import Testing

/// Session tickets and early data (0-RTT). The plain link has a round trip of 40 ms.
@Suite struct ResumptionTests {
  /// A pair whose client was connected once, and the tickets it has.
  private static func warm(
    seed: UInt64 = 1, conditions: LinkConditions = VirtualLink.plain, secret: [UInt8]? = nil
  ) throws -> (QUICPair, EchoServer, [ResumptionTicket]) {
    let pair = try QUICPair.make(seed: seed, conditions: conditions, server: { $0.secrets = secret.map { [$0] } ?? [] })
    let server = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { first.tickets.count >= 2 }
    pair.client.close(.noError, reason: "", at: pair.now)
    // Until the server has forgotten the connection.
    try pair.run(for: .seconds(2))
    return (pair, server, first.tickets)
  }

  private static func resume(
    _ pair: QUICPair, _ ticket: ResumptionTicket, _ change: (inout ClientConfiguration) -> Void = { _ in }
  ) throws -> RequestClient {
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.ticket = ticket
        change(&$0)
      })
    return RequestClient(on: pair)
  }

  @Test func earlyDataIsAnsweredAfterOneRoundTrip() throws {
    let (pair, server, tickets) = try Self.warm()
    let client = try Self.resume(pair, tickets[0])
    #expect(pair.client.isSendingEarlyData)
    let start = pair.now
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    #expect(pair.now - start < .milliseconds(41))
    #expect(client.answers[0].body == EchoServer.pattern(100))
    #expect(client.handshake?.isResumed == true)
    #expect(client.handshake?.earlyData == .accepted)
    #expect(server.earlyRequests == 1)
    #expect(!pair.client.isSendingEarlyData)
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    #expect(server.earlyRequests == 1)
    #expect(client.tickets.count == 2)
  }

  @Test func aTicketThatWasNotForEarlyDataResumes() throws {
    let (pair, server, tickets) = try Self.warm()
    var ticket = tickets[0]
    ticket.transportParameters = []
    let client = try Self.resume(pair, ticket)
    #expect(!pair.client.isSendingEarlyData)
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    #expect(client.handshake?.isResumed == true)
    #expect(client.handshake?.earlyData == .notOffered)
    #expect(client.answers[0].body.count == 100)
    #expect(server.earlyRequests == 0)
  }

  /// The ticket tells whether its server takes early data: nothing is sent in vain.
  @Test func aServerWithoutEarlyDataIsSentNone() throws {
    let pair = try QUICPair.make(server: { $0.takesEarlyData = false })
    let server = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { first.tickets.count >= 2 }
    let client = try Self.resume(pair, first.tickets[0])
    #expect(!pair.client.isSendingEarlyData)
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    #expect(client.handshake?.isResumed == true)
    #expect(client.handshake?.earlyData == .notOffered)
    #expect(server.requests.count == 1)
  }

  /// A ticket of version 2 is of no use to a connection that begins with version 1.
  @Test func noTicketIsTakenAcrossVersions() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.versions = [.v2, .v1] },
      server: {
        $0.connection.versions = [.v2, .v1]
        $0.changesVersion = true
      })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    try pair.run(for: .seconds(1))
    #expect(server.requests.count == 1)
    #expect(client.handshake?.version == QUICVersion.v2.rawValue)
    #expect(client.tickets.isEmpty && client.tokens.isEmpty)
  }

  /// Refused early data ends in one clear way for each request, and each goes through when it is sent again.
  @Test(arguments: [true, false])
  func refusedEarlyDataIsSentAgainAndServedOnce(_ knowsTheTicket: Bool) throws {
    let secret = Array(repeating: UInt8(7), count: 32)
    let (pair, server, tickets) = try Self.warm(secret: secret)
    pair.replaceServer(try QUICPair.serverConfiguration { $0.secrets = knowsTheTicket ? [secret] : [] })
    let client = try Self.resume(pair, tickets[0])
    client.repeatsRefusedRequests = true
    for size in [10, 2_000, 30_000] { client.send("GET", "/bytes/\(size)") }
    try pair.run { client.isDone }
    #expect(client.handshake?.isResumed == knowsTheTicket)
    #expect(client.handshake?.earlyData == .rejected)
    #expect(client.answers.map(\.body.count) == [10, 2_000, 30_000])
    #expect(client.answers.allSatisfy { $0.error == nil && $0.isComplete })
    #expect(server.requests.count == 3)
    #expect(server.earlyRequests == 0)
  }

  @Test func aReplayedFirstFlightIsNotProcessedAgain() throws {
    let (pair, server, tickets) = try Self.warm()
    var flight: [[UInt8]] = []
    pair.onClientDatagram = {
      flight.append($0)
      return true
    }
    let client = try Self.resume(pair, tickets[0])
    client.send("GET", "/bytes/10")
    try pair.run(for: .milliseconds(1))
    let recorded = flight
    #expect(!recorded.isEmpty)
    try pair.run { client.isDone }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(5))
    #expect(server.earlyRequests == 1)
    for datagram in recorded { pair.injectToServer(datagram, fromPort: 50_000) }
    try pair.run(for: .milliseconds(100))
    #expect(pair.server.connectionCount == 1)
    try pair.run(for: .seconds(15))
    #expect(server.requests.count == 1)
    #expect(server.earlyRequests == 1)
  }

  @Test func aServerThatIsNoLongerTrustedGetsNoEarlyData() throws {
    let (pair, _, tickets) = try Self.warm()
    let trust = CertificateVerifier.Trust.authorities(pem: Array(TestCertificate.p256.certificatePEM.utf8))
    let verifier = try CertificateVerifier(trust)
    let client = try Self.resume(pair, tickets[0]) { $0.verifier = verifier }
    #expect(!pair.client.isSendingEarlyData)
    client.send("GET", "/bytes/10")
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .certificateRejected)
    #expect(client.handshake == nil)
    #expect(client.answers[0].body.isEmpty)
    #expect(client.answers[0].status == nil)
  }

  @Test func aTicketIsTheSameAfterBeingWrittenAndRead() throws {
    let (_, _, tickets) = try Self.warm()
    let bytes = tickets[0].encoded
    #expect(ResumptionTicket(encoded: bytes) == tickets[0])
    #expect(tickets[0].certificates.count == 1)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x10
      #expect(ResumptionTicket(encoded: changed) == nil)
      #expect(ResumptionTicket(encoded: Array(bytes[..<index])) == nil)
    }
    #expect(ResumptionTicket(encoded: bytes + [0]) == nil)
  }

  /// Remembered limits that are not the server's: whatever follows, it is an answer or an error, and no trap.
  @Test func wrongTransportParametersEndInAnAnswerOrAnError() throws {
    let (pair, server, tickets) = try Self.warm()
    var damaged: [ResumptionTicket] = []
    for cut in tickets[0].transportParameters.indices {
      var short = tickets[0]
      short.transportParameters.removeLast(short.transportParameters.count - cut)
      var noisy = tickets[0]
      noisy.transportParameters[cut] ^= 0xff
      damaged += [short, noisy]
    }
    var answers = 0
    for ticket in damaged {
      let client = try Self.resume(pair, ticket)
      client.repeatsRefusedRequests = true
      client.send("GET", "/bytes/10")
      do { try pair.run { client.isDone } } catch { Issue.record("\(error)") }
      if client.answers[0].isComplete {
        answers += 1
        #expect(client.answers[0].body == EchoServer.pattern(10))
      }
      pair.client.close(.noError, reason: "", at: pair.now)
      try pair.run(for: .seconds(1))
    }
    #expect(answers > damaged.count / 2)
    #expect(server.requests.count >= answers)
  }

  /// Loss, reordering and damage around early data: each request is answered exactly, and served once.
  @Test func everySeedServesEachRequestOnce() throws {
    for seed in UInt64(1)...100 {
      var conditions = DirectionConditions(oneWayDelayMilliseconds: 20)
      conditions.loss = .bernoulli(rate: 0.1, longestBurst: nil)
      conditions.earlyRate = 0.1
      conditions.duplicationRate = 0.05
      let isRefused = seed % 3 == 0
      let (pair, server, tickets) = try Self.warm(seed: seed, conditions: LinkConditions(bothWays: conditions))
      if isRefused { pair.replaceServer(try QUICPair.serverConfiguration()) }
      let client = try Self.resume(pair, tickets[0])
      client.repeatsRefusedRequests = true
      let sizes = [0, 100, 5_000]
      for size in sizes { client.send("GET", "/bytes/\(size)") }
      do { try pair.run { client.isDone } } catch { Issue.record("\(error)") }
      #expect(client.answers.map(\.body.count) == sizes, "seed \(seed)")
      #expect(server.requests.count == 3, "seed \(seed): served \(server.requests.count)")
      if isRefused { #expect(server.earlyRequests == 0, "seed \(seed)") }
    }
  }

  struct Promise: CustomTestStringConvertible {
    var change: @Sendable (inout PeerSettings) -> Void
    var isKept: Bool
    var testDescription: String
    init(_ name: String, isKept: Bool, _ change: @escaping @Sendable (inout PeerSettings) -> Void) {
      testDescription = name
      self.isKept = isKept
      self.change = change
    }
  }

  static let promises = [
    Promise("the same", isKept: true) { _ in },
    Promise("larger field sections", isKept: true) { $0.maximumFieldSectionSize += 1 },
    Promise("smaller field sections", isKept: false) { $0.maximumFieldSectionSize -= 1 },
    Promise("a larger table", isKept: false) { $0.qpackTableCapacity += 1 },
    Promise("a smaller table", isKept: false) { $0.qpackTableCapacity -= 1 },
    Promise("more blocked streams", isKept: true) { $0.qpackBlockedStreams += 1 },
    Promise("fewer blocked streams", isKept: false) { $0.qpackBlockedStreams -= 1 },
    Promise("no extended CONNECT", isKept: false) { $0.allowsExtendedConnect = false },
    Promise("no datagrams", isKept: false) { $0.allowsDatagrams = false },
  ]

  @Test(arguments: promises)
  func settingsMustUpholdWhatEarlyDataReliedOn(_ row: Promise) {
    let remembered = PeerSettings(
      maximumFieldSectionSize: 65_536, qpackTableCapacity: 4_096, qpackBlockedStreams: 100,
      allowsExtendedConnect: true, allowsDatagrams: true)
    var now = remembered
    row.change(&now)
    #expect(now.honours(remembered) == row.isKept)
  }

  /// The client compares by itself: a remembered limit that the server does not keep ends the connection.
  @Test func aBrokenPromiseEndsTheConnection() throws {
    let (pair, _, tickets) = try Self.warm()
    var ticket = tickets[0]
    ticket.settings.maximumFieldSectionSize += 1
    let client = try Self.resume(pair, ticket)
    client.send("GET", "/bytes/10")
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .application(.settingsError))
  }
}
