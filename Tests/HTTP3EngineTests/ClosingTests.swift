import HTTP3Engine
import LinkModel
import TestSupport
import Testing

@Suite struct ClosingTests {
  @Test func aGracefulCloseReachesTheOtherEnd() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    pair.client.close(.noError, reason: "done", at: pair.now)
    try pair.run { !server.connectionErrors.isEmpty }
    #expect(server.connectionErrors[0].code == .application(.noError))
    #expect(server.connectionErrors[0].side == .remote)
    #expect(server.connectionErrors[0].isGraceful)
    #expect(server.connectionErrors[0].message.contains("done"))
    #expect(pair.server.connectionCount == 0)
    #expect(throws: HTTP3Error.self) { try pair.client.sendRequest([], endStream: true) }
  }

  @Test func anAbruptCloseFailsWhatIsRunningWithItsCode() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    pair.server.closeAll(.internalError, reason: "", at: pair.now)
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .application(.internalError))
    #expect(client.closed?.side == .remote)
    #expect(client.answers[0].error?.code == .application(.internalError))
    #expect(server.keys.count == 1)
  }

  @Test func goingAwayLetsRunningRequestsFinishAndTakesNoNewOnes() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/3000000")
    try pair.run { client.answers[0].body.count > 200_000 }
    pair.server.goAway()
    try pair.run { client.goAway != nil }
    client.send("GET", "/bytes/10")
    #expect(client.answers[1].error?.code == .goingAway)
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(3_000_000))
    #expect(server.requests.count == 1)
  }

  @Test func aRequestThatCrossesTheFinalGoAwayIsReportedAsNotProcessed() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    pair.server.goAway()
    // The notice and the final GOAWAY are on their way and do not arrive: the client keeps sending.
    pair.link.cuts = [.toClient]
    try pair.run(for: .seconds(2))
    client.send("GET", "/bytes/10")
    try pair.run(for: .milliseconds(100))
    pair.link.cuts = []
    try pair.run { client.answers[1].isOver }
    #expect(client.answers[1].error?.code == .requestNotProcessed)
    #expect(server.requests.count == 1)
  }

  @Test func silenceEndsInTheIdleTimeout() throws {
    let pair = try QUICPair.make(clientLimits: {
      $0.idleTimeout = .seconds(10)
      $0.keepAlive = nil
    })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    let start = pair.now
    try pair.run { client.closed != nil && !server.connectionErrors.isEmpty }
    #expect(client.closed?.code == .idleTimeout)
    #expect(server.connectionErrors[0].code == .idleTimeout)
    #expect(pair.now - start < .seconds(12))
  }

  @Test func keepAliveHoldsAQuietConnectionUp() throws {
    let pair = try QUICPair.make(clientLimits: {
      $0.idleTimeout = .seconds(10)
      $0.keepAlive = .seconds(4)
    })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run(for: .seconds(90))
    #expect(client.closed == nil)
    #expect(server.connectionErrors.isEmpty)
    client.send("GET", "/bytes/10")
    try pair.run { client.answers[1].isComplete }
  }

  @Test func aBlackHoleEndsInTheHandshakeTimeout() throws {
    let pair = try QUICPair.make(clientLimits: { $0.handshakeTimeout = .seconds(3) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    pair.link.cuts = [.toServer]
    client.send("GET", "/bytes/10")
    let start = pair.now
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .handshakeTimeout)
    #expect(pair.now - start <= .milliseconds(3_100))
    #expect(server.keys.isEmpty)
  }

  @Test(arguments: [true, false])
  func aServerThatForgotTheConnectionSaysSoIfItKeptItsSecret(_ keepsSecret: Bool) throws {
    let secret = [UInt8](repeating: 7, count: 32)
    let pair = try QUICPair.make(
      clientLimits: {
        $0.keepAlive = .seconds(5)
        $0.idleTimeout = .seconds(30)
      }, server: { $0.resetSecret = secret })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    #expect(server.keys.count == 1)
    pair.replaceServer(try QUICPair.serverConfiguration { $0.resetSecret = keepsSecret ? secret : nil })
    // The client only listens: its own PING, a packet of the smallest size, is what the reset answers.
    let start = pair.now
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == (keepsSecret ? .statelessReset : .idleTimeout))
    #expect((pair.now - start < .seconds(6)) == keepsSecret)
    #expect(client.closed?.message.contains("stateless reset") == keepsSecret)
  }

  /// The connection may be one of the server that takes over the socket, which has the same secret.
  @Test func aServerThatLeavesNewcomersResetsNobody() throws {
    let secret = [UInt8](repeating: 7, count: 32)
    let pair = try QUICPair.make(clientLimits: { $0.keepAlive = .seconds(5) }, server: { $0.resetSecret = secret })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    pair.replaceServer(
      try QUICPair.serverConfiguration {
        $0.resetSecret = secret
        $0.leavesNewcomers = true
      })
    pair.server.goAway()
    try pair.run(for: .seconds(8))
    #expect(client.closed == nil && server.keys.count == 1)
  }

  /// Anybody can send something that looks like a reset; only who knows the token ends a connection (RFC 9000 § 10.3.1).
  @Test func aForgedResetIsIgnored() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/300000")
    try pair.run { client.answers[0].body.count > 50_000 }
    var generator = SeededGenerator(seed: 6)
    for size in 21...120 {
      pair.injectToClient(
        [0x40 | UInt8(size & 0x3f)] + (1..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    }
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(300_000))
    #expect(client.closed == nil)
    #expect(server.connectionErrors.isEmpty)
  }

  /// A request that is on its way then may be sent again elsewhere.
  @Test func aServerThatClosesAtOnceReportsWhatItDidNotProcess() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone }
    client.send("POST", "/echo", body: [1])
    try pair.run(for: .milliseconds(5))
    pair.server.finishGoingAway()
    try pair.run(for: .microseconds(1))
    pair.server.closeAll(.noError, reason: "", at: pair.now)
    try pair.run { client.closed != nil }
    #expect(client.goAway == StreamID(4))
    #expect(server.requests.count == 1)
  }
}
