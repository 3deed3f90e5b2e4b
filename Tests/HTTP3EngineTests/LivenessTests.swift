import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A round trip is 40 ms here, so three probe time-outs are between 120 ms and 400 ms.
@Suite struct LivenessTests {
  private let suspicion = Duration.milliseconds(400)

  /// A client that only listens: its request is answered but for the rest of the body.
  private func listening(
    _ limits: (inout ConnectionConfiguration) -> Void = { _ in }
  ) throws -> (
    QUICPair, EchoServer, RequestClient
  ) {
    let pair = try QUICPair.make(clientLimits: limits)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    try pair.run(for: .milliseconds(500))
    return (pair, server, client)
  }

  @Test func whileSomethingIsAwaitedASilentPathIsSuspectWithinASecondAndThreeProbeTimeouts() throws {
    let (pair, _, client) = try listening()
    pair.client.setResponseExpected(true)
    try pair.run(for: .milliseconds(1_500))
    #expect(client.suspicions.isEmpty)
    pair.link.cuts = [.toClient, .toServer]
    let cutAt = pair.now
    try pair.run { !client.suspicions.isEmpty }
    #expect(client.suspicions[0] <= cutAt + .seconds(1) + suspicion)
    #expect(pair.client.isPathSuspect)
  }

  @Test func otherwiseItTakesTheKeepAliveTime() throws {
    let (pair, _, client) = try listening()
    pair.link.cuts = [.toClient, .toServer]
    let cutAt = pair.now
    try pair.run { !client.suspicions.isEmpty }
    #expect(client.suspicions[0] > cutAt + .seconds(19))
    #expect(client.suspicions[0] <= cutAt + .seconds(20) + suspicion)
  }

  @Test func withoutKeepAliveNoPingGoesOutHoweverMuchIsAwaited() throws {
    let (pair, _, client) = try listening { $0.keepAlive = nil }
    pair.client.setResponseExpected(true)
    let sent = pair.client.statistics.datagramsSent
    try pair.run(for: .seconds(20))
    #expect(pair.client.statistics.datagramsSent == sent)
    #expect(client.suspicions.isEmpty)
  }

  @Test func aRequestThatIsNotAcknowledgedMakesThePathSuspectToo() throws {
    let (pair, _, client) = try listening()
    pair.link.cuts = [.toServer]
    client.send("GET", "/bytes/10")
    let sentAt = pair.now
    try pair.run { !client.suspicions.isEmpty }
    #expect(client.suspicions[0] <= sentAt + suspicion)
  }

  @Test func aPathThatAnswersAgainIsReportedOnceAndTheConnectionContinues() throws {
    let (pair, server, client) = try listening()
    pair.client.setResponseExpected(true)
    pair.link.cuts = [.toClient, .toServer]
    try pair.run { !client.suspicions.isEmpty }
    try pair.run(for: .seconds(1))
    #expect(client.suspicions.count == 1)
    pair.link.cuts = []
    try pair.run { !client.answersAfterSuspicion.isEmpty }
    #expect(!pair.client.isPathSuspect)
    let index = client.send("GET", "/bytes/1000")
    try pair.run { client.answers[index].isOver }
    #expect(client.answers[index].body == EchoServer.pattern(1_000))
    #expect(client.suspicions.count == 1 && client.answersAfterSuspicion.count == 1)
    #expect(server.keys.count == 1)
  }

  @Test func datagramsOfOthersAreNoAnswer() throws {
    let (pair, _, client) = try listening()
    pair.client.setResponseExpected(true)
    pair.link.cuts = [.toClient, .toServer]
    try pair.run { !client.suspicions.isEmpty }
    let path = NetworkPath(
      local: NetworkAddress(ip: .v4(0x0a00_0001), port: 40_000),
      remote: NetworkAddress(ip: .v4(0x0a00_0002), port: 443))
    let forged = [0x40] + [UInt8](repeating: 7, count: 60)
    forged.withUnsafeBytes { pair.client.receive($0, on: path, ecn: .notECT, at: pair.now) }
    try pair.run(for: .milliseconds(100))
    #expect(client.answersAfterSuspicion.isEmpty)
    #expect(pair.client.isPathSuspect)
  }

  @Test func aProbeGoesOutAtOnceAndIsAnswered() throws {
    let (pair, _, client) = try listening()
    let sent = pair.client.statistics.datagramsSent
    let received = pair.client.statistics.datagramsReceived
    pair.client.probePath(at: pair.now)
    try pair.run(for: .milliseconds(100))
    #expect(pair.client.statistics.datagramsSent > sent)
    #expect(pair.client.statistics.datagramsReceived > received)
    // One probe is no habit: the next PING takes the configured time.
    let after = pair.client.statistics.datagramsSent
    try pair.run(for: .seconds(5))
    #expect(pair.client.statistics.datagramsSent == after)
    pair.link.cuts = [.toClient]
    let cutAt = pair.now
    pair.client.probePath(at: cutAt)
    try pair.run { !client.suspicions.isEmpty }
    #expect(client.suspicions[0] <= cutAt + suspicion)
  }

  @Test(arguments: UInt64(1)...20) func aTransferOverAGoodPathIsNeverSuspect(seed: UInt64) throws {
    let pair = try QUICPair.make(seed: seed)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    pair.client.setResponseExpected(true)
    client.send("POST", "/echo", body: EchoServer.pattern(300_000))
    client.send("GET", "/bytes/300000")
    try pair.run { client.isDone }
    try pair.run(for: .seconds(10))
    #expect(client.answers.allSatisfy { $0.isComplete }, "seed \(seed)")
    #expect(client.suspicions.isEmpty, "seed \(seed)")
    #expect(server.connectionErrors.isEmpty)
  }

  /// Path-MTU probes that vanish are in flight, found lost, and not sent again.
  @Test(arguments: [1_280, 1_400, 1_450, 1_460]) func aSmallPathMTUMakesNothingSuspect(_ size: Int) throws {
    for delay in [5.0, 20, 50] {
      var conditions = DirectionConditions(oneWayDelayMilliseconds: delay)
      conditions.maximumPacketBytes = size
      let pair = try QUICPair.make(conditions: LinkConditions(bothWays: conditions))
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      client.send("GET", "/hold")
      try pair.run { client.answers[0].status == "200" }
      pair.client.setResponseExpected(true)
      try pair.run(for: .seconds(20))
      #expect(client.suspicions.isEmpty, "\(delay) ms")
      #expect(server.keys.count == 1)
    }
  }
}
