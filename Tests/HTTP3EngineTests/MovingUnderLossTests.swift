import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A client that moves while the network is at its worst.
@Suite struct MovingUnderLossTests {
  /// The server's packets to the new address are lost until it has sent all that it may, and its window is full of
  /// earlier ones: the next packets that come from there make it try again.
  @Test(arguments: 1...16 as ClosedRange<UInt64>)
  func aDownloadContinuesAfterAnOutageOfTheNewPath(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var conditions = LinkConditions(
      bothWays: DirectionConditions(oneWayDelayMilliseconds: Double(UInt64.random(in: 5...80, using: &generator))))
    let outage = Duration.milliseconds(Int.random(in: 200...3_000, using: &generator))
    conditions.toClient.loss = .bernoulli(rate: 0.02, longestBurst: nil)
    let pair = try QUICPair.make(seed: seed, conditions: conditions, clientLimits: { $0.keepAlive = .seconds(1) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/800000")
    try pair.run { client.answers[0].body.count > 200_000 }
    pair.link.cuts = [.toClient]
    let path = NetworkPath(
      local: NetworkAddress(ip: .v4(0x0a00_0107), port: 50_000), remote: pair.clientPath.remote)
    #expect(pair.client.migrate(to: path, .immediate, at: pair.now) == .started)
    try pair.run(for: outage)
    pair.link.cuts = []
    let healedAt = pair.now
    let before = client.answers[0].body.count
    try pair.run { client.isDone || client.answers[0].body.count > before }
    #expect(client.closed == nil, "seed \(seed)")
    // The client's PING, and the probe time-outs that have doubled meanwhile.
    #expect(pair.now <= healedAt + outage * 2 + .seconds(2), "seed \(seed), an outage of \(outage)")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(800_000))
    withExtendedLifetime(server) {}
  }

  /// The old path may be the slower one, so its last packets arrive after the server learned that their connection id is of
  /// no use any more. A stateless reset would end the connection.
  @Test func whatComesLateByTheOldPathIsNotAnsweredWithAReset() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    try pair.run(for: .seconds(1))
    var late: [UInt8]?
    pair.onClientDatagram = { datagram in
      guard late == nil else { return true }
      late = datagram
      return false
    }
    pair.client.probePath(at: pair.now)
    try pair.run(for: .milliseconds(1))
    let datagram = try #require(late)
    let path = NetworkPath(
      local: NetworkAddress(ip: .v4(0x0a00_0107), port: 50_000), remote: pair.clientPath.remote)
    #expect(pair.client.migrate(to: path, .immediate, at: pair.now) == .started)
    try pair.run(for: .seconds(3))
    #expect(pair.client.currentPath == path)
    var answers = 0
    pair.onDatagram = { _, direction in answers += direction == .toClient ? 1 : 0 }
    pair.injectToServer(datagram)
    try pair.run(for: .milliseconds(100))
    #expect(answers == 0)
    #expect(client.closed == nil)
    withExtendedLifetime(server) {}
  }
}
