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

  /// A kind of frame that is allowed and brings nothing, or next to nothing, with as many in a packet as an attacker puts there.
  enum Frame: CaseIterable {
    case ping, emptyStream, maximumData, maximumStreamData, maximumStreams, dataBlocked, streamDataBlocked,
      streamsBlocked
    case pathChallenge, stopSending, acknowledgement

    /// The frames of the `number`th packet.
    func frames(_ number: Int, on stream: UInt64) -> [UInt8] {
      let number = UInt64(number)
      let one: [UInt8] =
        switch self {
        case .ping: [1]
        case .emptyStream: Wire.quic(0x0a, stream, 0)
        case .maximumData: Wire.quic(0x10, 1 << 30 + number)
        case .maximumStreamData: Wire.quic(0x11, stream, 1 << 30 + number)
        case .maximumStreams: Wire.quic(0x13, 100 + number)
        case .dataBlocked: Wire.quic(0x14, number)
        case .streamDataBlocked: Wire.quic(0x15, stream, 0)
        // Beyond the limit it would be an error of encoding.
        case .streamsBlocked: Wire.quic(0x17, 3)
        case .pathChallenge: Wire.quic(0x1a, then: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 8))
        case .stopSending: Wire.quic(0x05, stream, 0x10c)
        case .acknowledgement: Wire.quic(0x02, 0, 0, 0, 0)
        }
      return Array([[UInt8]](repeating: one, count: 900 / one.count).joined())
    }
  }

  /// All but acknowledgements, of which a packet may have many at the price of one: the library looks at the first alone.
  @Test(arguments: Frame.allCases) func framesThatBringNothingEndTheConnection(_ frame: Frame) throws {
    let attack = try Self.attack()
    let stream = try #require(attack.request()).rawValue
    let answers = try Self.flood(attack, 200) { frame.frames($0, on: UInt64(stream)) }
    if frame == .acknowledgement {
      #expect(attack.verdict == nil, "\(String(describing: attack.verdict))")
    } else {
      #expect(attack.verdict?.code == .application(.excessiveLoad), "\(String(describing: attack.verdict))")
      #expect(attack.verdict?.side == .local)
    }
    #expect(answers <= 1_000, "\(answers) datagrams")
    try Self.expectService(attack.pair)
  }

  /// Packets of one frame: so many are allowed in the long run, and a peer that has no reason for one has none for more.
  @Test func packetsThatBringNothingEndTheConnection() throws {
    let attack = try Self.attack()
    for number in 0..<20_000 where attack.verdict == nil {
      attack.send(frames: [1])
      if number % 20 == 19 { try attack.pair.run(for: .milliseconds(2)) }
    }
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict?.code == .application(.excessiveLoad))
    try Self.expectService(attack.pair)
  }

  /// 200 PINGs a second, far more than anybody needs, for a minute: more than the limit at once.
  @Test func aBusyPeerIsNoFlood() throws {
    let attack = try Self.attack()
    for _ in 0..<12_000 where attack.verdict == nil {
      attack.send(frames: [1])
      try attack.pair.run(for: .milliseconds(5))
    }
    #expect(attack.verdict == nil)
    try Self.expectService(attack.pair)
  }

  /// Somebody on the way sends each of a client's packets a hundred times: the copies count for nothing.
  @Test func copiesOfPacketsEndNothing() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    var packets: [[UInt8]] = []
    pair.onClientDatagram = { datagram in
      // Of 1-RTT: those of the handshake are copied in vain.
      if datagram[0] & 0x80 == 0 { packets.append(datagram) }
      return true
    }
    client.send("GET", "/bytes/1000000")
    try pair.run { client.isDone }
    #expect(packets.count > 20)
    for number in 0..<30_000 {
      pair.injectToServer(packets[number % packets.count])
      if number % 100 == 99 { try pair.run(for: .milliseconds(1)) }
    }
    client.send("GET", "/bytes/1000")
    try pair.run { client.isDone }
    #expect(client.closed == nil && client.answers.allSatisfy(\.isComplete))
    #expect(server.connectionErrors.isEmpty)
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
