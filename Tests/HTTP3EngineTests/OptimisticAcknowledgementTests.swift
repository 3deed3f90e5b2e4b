import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A server that keeps a packet back now and then, much sooner than in earnest.
@Suite struct OptimisticAcknowledgementTests {
  private static let span: UInt64 = 50_000

  /// It acknowledges each millisecond all that may have been sent, whether it has come or not, as one whose path carries less
  /// would to be sent more.
  @Test func whoAcknowledgesWhatItCannotHaveIsLeft() throws {
    let attack = try RawAttack(
      on: QUICPair.make(clientLimits: { $0.isRaw = true }, server: { $0.connection.unsentPacketSpan = Self.span }),
      attacksServer: true)
    _ = attack.beginHTTP()
    var sent: UInt64 = 0
    attack.pair.onDatagram = { bytes, direction in
      if direction == .toClient, bytes[0] & 0x80 == 0 { sent += 1 }
    }
    let id = try #require(attack.request())
    attack.peer?.raw?.send(Wire.get("/bytes/100000000"), on: id, isLast: true)
    for _ in 0..<5_000 where attack.verdict == nil {
      try attack.pair.run(for: .milliseconds(1))
      // Their numbers begin with 0, and so many were sent for certain.
      if sent > 0 { attack.send(frames: Wire.quic(0x02, sent - 1, 0, 0, sent - 1)) }
    }
    #expect(attack.verdict?.code == .transport(.protocolViolation), "\(String(describing: attack.verdict))")
    #expect(attack.verdict?.side == .local)
    #expect(attack.verdict?.message.contains("was kept back") == true)
  }

  /// To it they are lost packets, of which it misses nothing; also where others are lost.
  @Test(arguments: [false, true]) func anHonestClientGetsAllOfIt(_ isBad: Bool) throws {
    var conditions = VirtualLink.plain
    if isBad { conditions.toClient.loss = .bernoulli(rate: 0.002, longestBurst: nil) }
    let pair = try QUICPair.make(
      seed: 5, conditions: conditions, server: { $0.connection.unsentPacketSpan = Self.span })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/5000000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(5_000_000))
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    #expect(connection.packetsKeptBack >= 1, "\(connection.packetsKeptBack)")
    #expect(server.connectionErrors.isEmpty)
  }

  /// A client that does not get much loses nothing.
  @Test func aConversationLosesNothing() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    for _ in 0..<20 { client.send("GET", "/bytes/500000") }
    try pair.run { client.isDone }
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    #expect(connection.packetsKeptBack == 0 && client.answers.allSatisfy(\.isComplete))
  }
}
