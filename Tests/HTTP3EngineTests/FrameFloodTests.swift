import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A client that has shaken hands and then sends QUIC frames that cost it little: the server answers little, keeps little,
/// and serves others.
@Suite struct FrameFloodTests {
  /// A server and a client that writes what it likes.
  private static func attack() throws -> RawAttack {
    try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
  }

  /// Sends each packet's frames; answers how many datagrams the server sent meanwhile.
  private static func flood(_ attack: RawAttack, _ packets: Int, _ frames: (Int) -> [UInt8]) throws -> UInt64 {
    let before = attack.pair.link.delivered(.toClient)
    for number in 0..<packets {
      attack.send(frames: frames(number))
      if number % 10 == 9 { try attack.pair.run(for: .milliseconds(10)) }
    }
    try attack.pair.run(for: .seconds(5))
    return attack.pair.link.delivered(.toClient) - before
  }

  /// Another client of the same server gets its answer.
  private static func expectService(_ pair: QUICPair) throws {
    try pair.replaceClient(QUICPair.clientConfiguration())
    let client = RequestClient(on: pair)
    let server = EchoServer(on: pair)
    client.send("GET", "/bytes/1000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(1_000))
    #expect(server.requests.count == 1)
  }

  @Test func pingsAreAcknowledgedAndNoMore() throws {
    let attack = try Self.attack()
    let answers = try Self.flood(attack, 200) { _ in [UInt8](repeating: 1, count: 900) }
    #expect(attack.verdict == nil)
    #expect(answers <= 210, "\(answers) datagrams")
    try Self.expectService(attack.pair)
  }

  /// No more answers than packets, and no queue of them (RFC 9000 § 8.2.2 wants one for each).
  @Test func pathChallengesAreAnsweredInMeasure() throws {
    let attack = try Self.attack()
    let answers = try Self.flood(attack, 200) { number in
      (0..<100).flatMap { Wire.quic(0x1a, then: [UInt8(number), UInt8($0), 0, 0, 0, 0, 0, 0]) }
    }
    #expect(answers <= 1_000, "\(answers) datagrams")
    try Self.expectService(attack.pair)
  }

  /// NEW_CONNECTION_ID frames, `count` in a packet.
  private static func connectionIDs(_ number: Int, _ count: Int, retiresOthers: Bool) -> [UInt8] {
    (0..<count).flatMap { index -> [UInt8] in
      let sequence = UInt64(10 + number * count + index)
      let id: [UInt8] = Wire.varint(sequence) + [UInt8](repeating: 7, count: 16)
      return Wire.quic(0x18, sequence, retiresOthers ? sequence : 0) + [16] + id.prefix(16)
        + [UInt8](repeating: UInt8(index), count: 16)
    }
  }

  @Test func connectionIDsBeyondTheLimitEndTheConnection() throws {
    let attack = try Self.attack()
    _ = try Self.flood(attack, 100) { Self.connectionIDs($0, 4, retiresOthers: false) }
    #expect(attack.verdict?.code == .transport(QUICErrorCode(rawValue: 9)), "\(String(describing: attack.verdict))")
    #expect(attack.pair.server.routeCount <= 16)
    try Self.expectService(attack.pair)
  }

  @Test(arguments: [1, 4, 20])
  func connectionIDsThatRetireEachOtherAreTakenInMeasure(_ count: Int) throws {
    let attack = try Self.attack()
    let answers = try Self.flood(attack, 100) { Self.connectionIDs($0, count, retiresOthers: true) }
    #expect(attack.pair.server.routeCount <= 16)
    #expect(answers <= 300, "\(answers) datagrams")
    try Self.expectService(attack.pair)
  }

  @Test func streamsBeyondTheLimitEndTheConnection() throws {
    let attack = try Self.attack()
    _ = try Self.flood(attack, 1) { _ in Wire.quic(0x08, 4 * 100, then: [0]) }
    #expect(attack.verdict?.code == .transport(QUICErrorCode(rawValue: 4)))
    try Self.expectService(attack.pair)
  }

  @Test func bytesBeyondTheWindowEndTheConnection() throws {
    let attack = try Self.attack()
    _ = try Self.flood(attack, 1) { _ in Wire.quic(0x0e, 0, 1 << 20, 1, then: [0]) }
    #expect(attack.verdict?.code == .transport(QUICErrorCode(rawValue: 3)))
    try Self.expectService(attack.pair)
  }

  @Test func cryptoBytesFarAheadEndTheConnection() throws {
    let attack = try Self.attack()
    _ = try Self.flood(attack, 1) { _ in Wire.quic(0x06, 1 << 20, 1, then: [0]) }
    #expect(attack.verdict?.code == .transport(QUICErrorCode(rawValue: 13)))
    try Self.expectService(attack.pair)
  }

  /// One byte here and there: the gaps are kept within the stream's window.
  @Test func bytesWithGapsAreKeptWithinTheWindow() throws {
    let attack = try Self.attack()
    _ = try Self.flood(attack, 1_000) { number in
      (0..<100).flatMap { Wire.quic(0x0e, 0, UInt64(1 + (number * 100 + $0) * 8), 1, then: [0]) }
    }
    #expect(attack.server?.requests.isEmpty == true)
    try Self.expectService(attack.pair)
  }

  /// Acknowledgements of what was never sent, with as many ranges as there is room for.
  @Test func acknowledgementsOfNothingEndTheConnection() throws {
    let attack = try Self.attack()
    _ = try Self.flood(attack, 1) { _ in
      Wire.quic(0x02, 1 << 20, 0, 100, 0) + [UInt8](repeating: 1, count: 200)
    }
    #expect(attack.verdict?.code == .transport(QUICErrorCode(rawValue: 10)))
    try Self.expectService(attack.pair)
  }
}
