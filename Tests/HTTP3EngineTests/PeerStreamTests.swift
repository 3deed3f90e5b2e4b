import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A client's handling of a server's unidirectional streams before the library has their bytes.
@Suite struct PeerStreamTests {
  private static func attack() throws -> RawAttack {
    try RawAttack(on: QUICPair.make(server: { $0.connection.isRaw = true }), attacksServer: false)
  }

  private static func code(_ attack: RawAttack) throws -> HTTP3Error.Code? {
    try attack.pair.run(for: .seconds(1))
    return attack.verdict?.code
  }

  @Test(arguments: [[0x40], [0x80, 0, 0], [0xc0, 0, 0, 0, 0, 0, 0]] as [[UInt8]], [true, false])
  func aStreamMayEndBeforeItsTypeIsWhole(_ bytes: [UInt8], _ isReset: Bool) throws {
    let attack = try Self.attack()
    _ = attack.beginHTTP()
    // More than are allowed at once: each that ends makes room.
    for _ in 0..<40 {
      let id = try #require(attack.open(isBidirectional: false))
      attack.peer?.raw?.send(bytes, on: id, isLast: !isReset)
      try attack.pair.run(for: .milliseconds(50))
      if isReset { attack.peer?.raw?.reset(id, code: .noError) }
      try attack.pair.run(for: .milliseconds(50))
    }
    #expect(try Self.code(attack) == nil)
  }

  /// Types may be written in more bytes than they need (RFC 9000 § 16), which may come one by one.
  @Test(arguments: 1...9)
  func aTypeMayComeInPieces(_ size: Int) throws {
    let attack = try Self.attack()
    let id = try #require(attack.open(isBidirectional: false))
    let bytes: [UInt8] = [0xc0, 0, 0, 0, 0, 0, 0, 0] + [4, 0] + Wire.http(7, [40])
    for start in stride(from: 0, to: bytes.count, by: size) {
      attack.peer?.raw?.send(Array(bytes[start..<min(start + size, bytes.count)]), on: id)
      try attack.pair.run(for: .milliseconds(50))
    }
    #expect(try Self.code(attack) == nil)
    #expect(attack.client?.goAway == StreamID(40))
  }

  @Test(arguments: [[1], [1, 0], [0x40, 1]] as [[UInt8]])
  func aPushStreamIsAnIDError(_ bytes: [UInt8]) throws {
    let attack = try Self.attack()
    _ = attack.beginHTTP()
    attack.peer?.raw?.send(bytes, on: try #require(attack.open(isBidirectional: false)))
    #expect(try Self.code(attack) == .application(.idError))
  }

  @Test(arguments: 0..<3)
  func aCriticalStreamMayNotBeReset(_ index: Int) throws {
    let attack = try Self.attack()
    let streams = attack.beginHTTP()
    try attack.pair.run(for: .milliseconds(100))
    attack.peer?.raw?.reset(streams[index], code: .noError)
    #expect(try Self.code(attack) == .application(.closedCriticalStream))
  }

  @Test func aCancelledPushIsAnIDError() throws {
    let attack = try Self.attack()
    let streams = attack.beginHTTP()
    attack.peer?.raw?.send(Wire.http(3, [0]), on: streams[0])
    #expect(try Self.code(attack) == .application(.idError))
  }

  @Test func framesBeforeSettingsAreMissedSettings() throws {
    let attack = try Self.attack()
    attack.peer?.raw?.send([0] + Wire.http(3, [0]), on: try #require(attack.open(isBidirectional: false)))
    #expect(try Self.code(attack) == .application(.missingSettings))
  }

  /// The bytes after the id could be read as a frame, here of a type that is ignored.
  @Test func aGoAwayWithMoreThanAnIDIsAFrameError() throws {
    let attack = try Self.attack()
    let streams = attack.beginHTTP()
    attack.peer?.raw?.send(Wire.http(7, [40, 0x21, 0]), on: streams[0])
    #expect(try Self.code(attack) == .application(.frameError))
  }

  /// A packet of made-up frames is sent again as it is when lost: its stream must not count as one.
  @Test func framesThatAreLostLeaveNoControlStream() throws {
    let attack = try Self.attack()
    _ = attack.beginHTTP()
    try attack.pair.run(for: .milliseconds(200))
    attack.pair.link.cuts = [.toClient]
    attack.send(frames: [0x01, 0x01])
    try attack.pair.run(for: .milliseconds(20))
    attack.pair.link.cuts = []
    #expect(try Self.code(attack) == nil)
  }

  /// Longer than the library takes, which calls that an internal error.
  @Test func aFieldBeyondTheLibrarysLimitIsExcessiveLoad() throws {
    let attack = try Self.attack()
    _ = attack.beginHTTP()
    let id = try #require(attack.request())
    let line = Wire.line("x-huge", String(repeating: "a", count: 100_000))
    attack.peer?.raw?.send(Wire.http(1, [0, 0, 0xd9] + line), on: id)
    #expect(try Self.code(attack) == .application(.excessiveLoad))
  }

  @Test func anInsertionBeyondTheLibrarysLimitIsAnEncoderStreamError() throws {
    let attack = try Self.attack()
    let streams = attack.beginHTTP()
    let insertion = Wire.prefixed(0x40, bits: 5, 4) + Array("name".utf8) + Wire.prefixed(0, bits: 7, 1 << 40)
    attack.peer?.raw?.send(
      Wire.prefixed(0x20, bits: 5, 4_096) + insertion + [UInt8](repeating: 0x61, count: 1_000), on: streams[1])
    #expect(try Self.code(attack) == .application(.qpackEncoderStreamError))
  }
}
