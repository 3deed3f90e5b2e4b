import HTTP3Engine
import LinkModel
import TestSupport
import Testing

@Suite struct LimitTests {
  @Test func aFieldSectionOverTheLimitIsRefusedAndTheConnectionLives() throws {
    let pair = try QUICPair.make(server: { $0.connection.maximumFieldSectionSize = 2_000 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/" + String(repeating: "a", count: 5_000))
    try pair.run { client.answers[0].isOver }
    #expect(client.answers[0].error?.code == .application(.excessiveLoad))
    client.send("GET", "/bytes/5")
    try pair.run { client.answers[1].isComplete }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    HeaderField("bad name", "x"), HeaderField("", "x"), HeaderField("a:b", "x"),
    HeaderField("split", "a\r\nb: c"), HeaderField("nul", "\0"),
  ])
  func fieldsThatCannotBeSentAreRefused(_ field: HeaderField) throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1")
    try pair.run { client.isDone }
    let error = #expect(throws: HTTP3Error.self) {
      try pair.client.sendRequest([HeaderField(":method", "GET"), field], endStream: true)
    }
    #expect(error?.code == .invalidMessage)
    #expect(server.requests.count == 1)
  }

  @Test func connectionsOverTheLimitAreRefused() throws {
    let pair = try QUICPair.make(server: { $0.maximumConnections = 0 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .transport(.connectionRefused))
    #expect(client.closed?.side == .remote)
    #expect(server.keys.isEmpty)
  }

  /// A server that goes away refuses who comes then, or leaves it to the one that takes over its socket.
  @Test(arguments: [false, true]) func whoComesLateIsRefusedOrLeftToTheNextServer(_ leaves: Bool) throws {
    let pair = try QUICPair.make(server: { $0.leavesNewcomers = leaves })
    let going = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    pair.server.goAway()
    client.send("GET", "/bytes/5")
    try pair.run(for: .milliseconds(100))
    #expect((pair.link.delivered(.toClient) == 0) == leaves)
    #expect(client.closed?.code == (leaves ? nil : .transport(.connectionRefused)))
    #expect(going.keys.isEmpty)
    guard leaves else { return }
    pair.replaceServer(try QUICPair.serverConfiguration())
    let next = EchoServer(on: pair)
    try pair.run { client.isDone }
    #expect(next.requests.count == 1 && client.answers[0].isComplete)
  }

  @Test func noiseMakesNoConnectionAndFewAnswers() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<10_000 {
      let size = Int(generator.next() % 1_400)
      pair.injectToServer((0..<max(1, size)).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(1))
    #expect(pair.server.connectionCount == 0)
    #expect(server.keys.isEmpty)
    #expect(pair.link.delivered(.toClient) <= 400, "\(pair.link.delivered(.toClient)) answers")
  }

  @Test(arguments: [0, 20, 21, 255])
  func aVersionNegotiationPacketToAServerIsIgnoredWhateverItsIds(_ length: Int) throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    var packet: [UInt8] = [0x80, 0, 0, 0, 0, UInt8(length)]
    packet += [UInt8](repeating: 9, count: length) + [0]
    pair.injectToServer(packet + [UInt8](repeating: 0, count: 40))
    pair.injectToServer([0x40] + [UInt8](repeating: 9, count: 30))
    pair.injectToServer([])
    client.send("GET", "/bytes/5")
    try pair.run { client.isDone }
    #expect(client.answers[0].isComplete)
    #expect(server.keys.count == 1)
  }

  @Test func initialsOfOneClientInOneTurnMakeOneConnection() throws {
    var conditions = VirtualLink.plain
    conditions.toServer.duplicationRate = 1
    conditions.toClient.duplicationRate = 1
    let pair = try QUICPair.make(conditions: conditions)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/5000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(5_000))
    #expect(server.keys.count == 1)
    #expect(pair.server.connectionCount == 1)
  }

  @Test func limitsBeyondWhatTheWireCanCarryAreCut() throws {
    let pair = try QUICPair.make(
      clientLimits: {
        $0.streamWindow = .max
        $0.connectionWindow = .max
        $0.maximumFieldSectionSize = -1
      },
      server: {
        $0.connection.maximumRequests = .max
        $0.connection.maximumFieldSectionSize = .max
      })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/5")
    try pair.run { client.isDone }
    #expect(server.requests.count == 1)
  }

  @Test func corruptedPacketsOfALiveConnectionAreIgnored() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100000")
    try pair.link.change {
      $0.toServer.corruptionRate = 0.3
      $0.toClient.corruptionRate = 0.3
    }
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100_000))
    #expect(server.keys.count == 1)
  }

  @Test func anUnknownVersionIsAnsweredWithOurs() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    // A long header of version 0x1a2a3a4a (reserved, RFC 9000 § 15), padded to a first flight's size.
    var packet: [UInt8] = [0xc0, 0x1a, 0x2a, 0x3a, 0x4a, 8, 1, 2, 3, 4, 5, 6, 7, 8, 4, 9, 9, 9, 9]
    packet += [UInt8](repeating: 0, count: 1_200 - packet.count)
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(1))
    let before = pair.link.delivered(.toClient)
    pair.injectToServer(packet)
    try pair.run(for: .seconds(1))
    #expect(pair.link.delivered(.toClient) == before + 1)
    // One byte less is no first flight, and gets no answer.
    pair.injectToServer(packet.dropLast(1))
    try pair.run(for: .seconds(1))
    #expect(pair.link.delivered(.toClient) == before + 1)
    #expect(server.keys.isEmpty)
  }
}
