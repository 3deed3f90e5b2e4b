import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A translator on the way gives the client another port or address while much of what the server sends is on its way to
/// the old one.
@Suite struct RebindingWindowTests {
  /// A transfer on a link of its own, of a client that sends nothing while nothing comes.
  private struct Transfer {
    let pair: QUICPair
    let client: RequestClient
    let server: EchoServer
    let roundTrip: Duration
    var generator: SeededGenerator
    private var port: UInt16 = 41_000

    init(
      seed: UInt64, delay: ClosedRange<UInt64>, link: (inout DirectionConditions) -> Void = { _ in },
      server change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
      generator = SeededGenerator(seed: seed)
      var conditions = DirectionConditions(oneWayDelayMilliseconds: Double(generator.next(in: delay)))
      link(&conditions)
      roundTrip = .milliseconds(conditions.oneWayDelayMilliseconds * 2)
      let silence = Duration.milliseconds(Int(generator.next(in: 800...4_000)))
      pair = try QUICPair.make(
        seed: seed, conditions: LinkConditions(bothWays: conditions), clientLimits: { $0.keepAlive = silence },
        server: change)
      client = RequestClient(on: pair)
      server = EchoServer(on: pair)
    }

    var progress: Int { client.answers.reduce(0) { $0 + $1.body.count } }

    /// Another port, or host and port.
    mutating func rebind(_ changesHost: Bool) {
      port += 1
      let host: UInt32 = changesHost ? 0x0a00_1000 + UInt32(port) : 0x0a00_0001
      pair.translator.rebind(pair.clientPath.local, to: NetworkAddress(ip: .v4(host), port: port))
    }

    /// The time from the client's next datagram until more has come.
    func timeFromSignToProgress() throws -> Duration {
      var sign: Timestamp?
      pair.onClientDatagram = { [pair] _ in
        sign = sign ?? pair.now
        return true
      }
      let before = progress
      try pair.run { sign != nil && progress > before || client.isDone }
      pair.onClientDatagram = { _ in true }
      return pair.now - (sign ?? pair.now)
    }
  }

  /// The client has nothing to acknowledge, so the server hears of the new address by the PING alone. What it sent
  /// meanwhile is sent again as soon as the address is proven: the PING's way and the first byte's are a round trip, and
  /// the proof is another.
  @Test(arguments: [false, true], 1...24 as ClosedRange<UInt64>)
  func aSilentClientsPingIsEnough(_ changesHost: Bool, _ seed: UInt64) throws {
    var transfer = try Transfer(seed: seed, delay: 2...120)
    let (pair, client) = (transfer.pair, transfer.client)
    let streams = Int(transfer.generator.next(in: 1...4))
    for index in 0..<streams { client.send("GET", "/hold?\(index)") }
    try pair.run { client.answers.allSatisfy { $0.status != nil } }
    let key = try #require(transfer.server.keys.first)
    var worst = Duration.zero
    var sent = 0
    for _ in 1...3 {
      // All is acknowledged, and the PINGs' time is not the server's.
      try pair.run(for: .milliseconds(500 + Int(transfer.generator.next(in: 0...3_000))))
      transfer.rebind(changesHost)
      let body = EchoServer.pattern(100_000)
      // Asked for each time: an endpoint looks at those connections that somebody asked for.
      for id in client.streams.values {
        try #require(pair.server.connection(key)).sendBody(body, on: id, endStream: false)
      }
      sent += body.count * streams
      let before = pair.server.connection(key)?.statistics.datagramsSent ?? 0
      try pair.run(for: .milliseconds(20))
      // The window is full of what nobody gets.
      #expect(pair.server.connection(key)?.statistics.datagramsSent ?? 0 > before + 5)
      worst = max(worst, try transfer.timeFromSignToProgress() - transfer.roundTrip * 2)
      try pair.run { transfer.progress == sent }
    }
    print("seed \(seed), host \(changesHost): two round trips and \(worst) from the PING to the first byte")
    #expect(worst <= pair.client.probeTimeout, "seed \(seed)")
    #expect(transfer.server.keys.count == 1)
  }

  /// The client's late acknowledgements come from the new address, and more addresses follow before the last is
  /// settled.
  @Test(arguments: [false, true], 1...24 as ClosedRange<UInt64>)
  func aTransferContinuesAfterEach(_ changesHost: Bool, _ seed: UInt64) throws {
    var transfer = try Transfer(seed: seed, delay: 2...60) { $0.rateBitsPerSecond = 20e6 }
    let (pair, client) = (transfer.pair, transfer.client)
    let streams = Int(transfer.generator.next(in: 1...4))
    for index in 0..<streams { client.send("GET", "/bytes/1000000?\(index)") }
    // A server takes nothing from another address before the handshake's end (RFC 9000 § 9).
    try pair.run { client.handshake != nil }
    var worst = Duration.zero
    var count = 0
    for _ in 1...6 where !client.isDone {
      count += 1
      try pair.run(for: .milliseconds(Int(transfer.generator.next(in: 20...400))))
      transfer.rebind(changesHost)
      worst = max(worst, try transfer.timeFromSignToProgress() - transfer.roundTrip * 2)
    }
    #expect(count > 0)
    try pair.run { client.isDone }
    print("seed \(seed), host \(changesHost): two round trips and \(worst) from the first sign to the next byte")
    // The first sign may come of what was on its way before, and what was lost is known by one more acknowledgement.
    #expect(worst <= pair.client.probeTimeout * 2, "seed \(seed)")
    let body = EchoServer.pattern(1_000_000)
    let isExact = client.answers.allSatisfy { $0.isComplete && $0.body == body }
    #expect(isExact, "seed \(seed)")
    #expect(transfer.server.keys.count == 1)
  }

  /// From the moment when the client's last flight has left: the server's HANDSHAKE_DONE and answers go to the old address.
  @Test(arguments: [false, true], stride(from: 0, through: 90, by: 6).map { $0 })
  func nothingHangsBeforeTheConfirmation(_ changesHost: Bool, _ milliseconds: Int) throws {
    var transfer = try Transfer(seed: UInt64(milliseconds) + 1, delay: 20...20)
    let (pair, client) = (transfer.pair, transfer.client)
    client.send("GET", "/bytes/300000")
    try pair.run { client.handshake != nil }
    try pair.run(for: .milliseconds(milliseconds))
    transfer.rebind(changesHost)
    let gap = try transfer.timeFromSignToProgress() - transfer.roundTrip * 2
    try pair.run { client.isDone }
    print("\(milliseconds) ms after the handshake, host \(changesHost): \(gap), \(pair.now) in all")
    #expect(client.answers[0].body == EchoServer.pattern(300_000))
    #expect(gap <= pair.client.probeTimeout)
  }

  /// A demand of the public interoperability runner that RFC 9000 § 9.3 does not make. ngtcp2 acknowledges first
  /// while its pacing waits, which with little in flight is seldom and short.
  @Test(arguments: [false, true])
  func theFirstPacketToANewAddressHasAChallenge(_ changesHost: Bool) throws {
    var changeCount = 0
    var others: [[String]] = []
    for seed in 1...24 as ClosedRange<UInt64> {
      var transfer = try Transfer(seed: seed, delay: 2...60) {
        $0.rateBitsPerSecond = 10e6
      } server: {
        $0.connection.qlog = QlogConfiguration()
      }
      let (pair, client) = (transfer.pair, transfer.client)
      client.send("GET", "/bytes/1000000")
      try pair.run { client.handshake != nil }
      for _ in 1...3 where !client.isDone {
        try pair.run(for: .milliseconds(Int(transfer.generator.next(in: 20...400))))
        transfer.rebind(changesHost)
        _ = try transfer.timeFromSignToProgress()
      }
      try pair.run { client.isDone }
      let connection = try #require(transfer.server.keys.first.flatMap { pair.server.connection($0) })
      let events = try ReadTrace(try #require(connection.takeQlog()).bytes).events
      for change in events.indices where events[change].name == "connectivity:path_updated" {
        let first = events[change...].first { $0.name == "transport:packet_sent" }
        let frames = first?.frames.compactMap { $0["frame_type"] as? String } ?? []
        changeCount += 1
        if !frames.contains("path_challenge") { others.append(frames) }
      }
    }
    print("\(changeCount) new addresses, host \(changesHost): other first packets \(others)")
    #expect(changeCount > 24)
    #expect(others.count * 20 <= changeCount)
  }

  /// Anybody may send from any address; what nobody has the keys for takes nothing from the client.
  @Test func strangersChangeNothing() throws {
    var transfer = try Transfer(seed: 1, delay: 20...20) { $0.rateBitsPerSecond = 20e6 }
    let (pair, client) = (transfer.pair, transfer.client)
    client.send("GET", "/bytes/1000000")
    var last: [UInt8] = []
    pair.onClientDatagram = {
      last = $0
      return true
    }
    for port in 1...60 as ClosedRange<UInt16> {
      try pair.run(for: .milliseconds(5))
      guard !last.isEmpty else { continue }
      var damaged = last
      damaged[damaged.count - 1] ^= 1
      pair.injectToServer(damaged, fromPort: 1_000 + port)
      if port == 30 { transfer.rebind(false) }
    }
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(1_000_000))
    #expect(transfer.server.keys.count == 1)
  }
}

extension SeededGenerator {
  fileprivate mutating func next(in range: ClosedRange<UInt64>) -> UInt64 {
    range.lowerBound + next() % (range.upperBound - range.lowerBound + 1)
  }
}
