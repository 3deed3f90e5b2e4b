import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// HTTP/0.9 over QUIC, in the place of HTTP/3: the messages are the same for the owner.
@Suite struct HTTP09Tests {
  static func pair(
    seed: UInt64 = 1, conditions: LinkConditions = VirtualLink.plain,
    client: (inout ConnectionConfiguration) -> Void = { _ in }, server: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> QUICPair {
    try QUICPair.make(
      seed: seed, conditions: conditions,
      clientLimits: {
        $0.mapping = .http09
        client(&$0)
      },
      server: {
        $0.connection.mapping = .http09
        server(&$0)
      })
  }

  @Test(arguments: [0, 1, 1_000, 70_000, 3_000_000])
  func bodiesOfAllSizesArrive(_ count: Int) throws {
    let pair = try Self.pair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/\(count)")
    try pair.run { client.isDone }
    #expect(client.answers[0].isComplete)
    #expect(client.answers[0].status == "200")
    #expect(client.answers[0].body == EchoServer.pattern(count))
    #expect(
      server.requests == [
        [HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":path", "/bytes/\(count)")]
      ])
  }

  /// Loss in both directions, windows far below the bodies, and more streams than the server allows at once.
  @Test(arguments: UInt64(1)...5)
  func manyStreamsOverALossyLink(_ seed: UInt64) throws {
    var conditions = VirtualLink.plain
    conditions.toClient.loss = .bernoulli(rate: 0.05, longestBurst: nil)
    conditions.toServer.loss = .bernoulli(rate: 0.05, longestBurst: nil)
    let pair = try Self.pair(
      seed: seed, conditions: conditions,
      client: {
        $0.streamWindow = 20_000
        $0.connectionWindow = 50_000
      }, server: { $0.connection.maximumRequests = 7 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let sizes = (0..<40).map { $0 * 2_500 }
    for size in sizes { client.send("GET", "/bytes/\(size)") }
    try pair.run { client.isDone }
    #expect(client.closed == nil, "seed \(seed)")
    for (answer, size) in zip(client.answers, sizes) {
      #expect(answer.body == EchoServer.pattern(size), "seed \(seed)")
    }
    #expect(server.requests.count == sizes.count)
  }

  /// Each stream sends in turn: a small body is not held up by a large one before it.
  @Test func streamsTakeTurns() throws {
    let pair = try Self.pair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/5000000")
    client.send("GET", "/bytes/20000")
    try pair.run { client.answers[1].isOver }
    #expect(client.answers[1].body == EchoServer.pattern(20_000))
    #expect(client.answers[0].body.count < 200_000)
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(5_000_000))
    #expect(server.requests.count == 2)
  }

  /// A reader that takes nothing holds the server at the stream's window, and another stream continues.
  @Test func aSlowReaderBlocksItsOwnStreamAlone() throws {
    let pair = try Self.pair(client: { $0.streamWindow = 30_000 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.consumes = false
    client.send("GET", "/bytes/100000")
    try pair.run { client.answers[0].body.count == 30_000 }
    client.consumes = true
    client.send("GET", "/bytes/100000?second")
    try pair.run { client.answers[1].isOver }
    #expect(client.answers[0].body.count == 30_000)
    #expect(client.answers[1].body == EchoServer.pattern(100_000))
    pair.client.consume(30_000, on: try #require(client.streams[0]))
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100_000))
    #expect(server.resets.isEmpty)
  }

  @Test func whatCannotBeExpressedIsRefusedSilently() throws {
    let pair = try Self.pair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    try pair.run { client.handshake != nil }
    client.send("POST", "/bytes/1")
    client.send("GET", "/bytes/1", body: [1])
    client.send("GET", "/with space")
    client.send("GET", "/line\nfeed")
    client.send("GET", "relative")
    #expect(client.answers.allSatisfy { $0.error?.code == .invalidMessage })
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone }
    #expect(server.requests.count == 1)
  }

  /// There is no status: all but success is a reset.
  @Test func aRefusalIsAReset() throws {
    let pair = try Self.pair()
    let client = RequestClient(on: pair)
    pair.onServer = { key, event in
      guard case .headersReceived(let id, _) = event else { return }
      try? pair.server.connection(key)?.sendResponse([HeaderField(":status", "404")], on: id, endStream: true)
    }
    client.send("GET", "/missing")
    try pair.run { client.isDone }
    #expect(client.answers[0].error?.code == .application(.requestCancelled))
    #expect(client.closed == nil)
  }

  @Test func earlyDataCarriesRequests() throws {
    let pair = try Self.pair()
    let server = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { first.tickets.count >= 2 }
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.mapping = .http09
        $0.ticket = first.tickets[0]
      })
    let client = RequestClient(on: pair)
    let start = pair.now
    for index in 0..<30 { client.send("GET", "/bytes/\(index)") }
    try pair.run { client.isDone }
    #expect(pair.now - start < .milliseconds(41))
    #expect(client.handshake?.earlyData == .accepted)
    #expect(server.earlyRequests == 30)
    #expect(client.answers.map(\.body) == (0..<30).map { EchoServer.pattern($0) })
  }

  /// The server forgot what sealed the ticket: all is sent once more.
  @Test func refusedEarlyDataIsSentAgain() throws {
    let pair = try Self.pair()
    let first = RequestClient(on: pair)
    try pair.run { first.tickets.count >= 2 }
    pair.replaceServer(try QUICPair.serverConfiguration { $0.connection.mapping = .http09 })
    let server = EchoServer(on: pair)
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.mapping = .http09
        $0.ticket = first.tickets[0]
      })
    let client = RequestClient(on: pair)
    client.repeatsRefusedRequests = true
    client.send("GET", "/bytes/10")
    client.send("GET", "/bytes/20")
    try pair.run { client.isDone }
    #expect(client.handshake?.earlyData == .rejected)
    #expect(server.earlyRequests == 0)
    #expect(client.answers.map(\.body) == [EchoServer.pattern(10), EchoServer.pattern(20)])
  }

  /// Neither of the two protocols is taken for the other.
  @Test(arguments: [ApplicationProtocol.http3, .http09])
  func theOtherProtocolIsRefused(_ mapping: ApplicationProtocol) throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.mapping = mapping }, server: { $0.connection.mapping = mapping == .http3 ? .http09 : .http3 })
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone }
    // no_application_protocol (RFC 7301 § 3.2)
    #expect(client.closed?.code == .tlsAlert(120))
  }

  /// HTTP/0.9 ends without HTTP/3's own code for no error.
  @Test func theEndIsWithoutAnError() throws {
    let pair = try Self.pair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run { !server.connectionErrors.isEmpty }
    #expect(server.connectionErrors.map(\.code) == [.application(ApplicationErrorCode(rawValue: 0))])
  }

  @Test func aCancelledResponseLeavesRoomForOthers() throws {
    let pair = try Self.pair(client: {
      $0.streamWindow = 30_000
      $0.connectionWindow = 30_000
    })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.consumes = false
    client.send("GET", "/bytes/1000000")
    try pair.run { client.answers[0].body.count == 30_000 }
    pair.client.cancel(try #require(client.streams[0]), code: .requestCancelled)
    client.consumes = true
    client.send("GET", "/bytes/100000?second")
    try pair.run { client.answers[1].isOver }
    #expect(client.answers[1].body == EchoServer.pattern(100_000))
    #expect(server.stops == [.requestCancelled])
  }
}
