import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// TLS messages behind the handshake: a server takes none, a client tickets alone (RFC 9001 §§ 4.1.3, 6).
@Suite struct PostHandshakeMessageTests {
  private static let keyUpdate: [UInt8] = [24, 0, 0, 1, 0]
  private static let unexpectedMessage = HTTP3Error.Code.tlsAlert(10)
  private static let cryptoBufferExceeded = HTTP3Error.Code.transport(QUICErrorCode(rawValue: 0xd))

  private static func attack(onServer attacksServer: Bool) throws -> RawAttack {
    try RawAttack(
      on: QUICPair.make(
        clientLimits: { $0.isRaw = attacksServer },
        server: {
          $0.connection.isRaw = !attacksServer
          // So that the bytes of its CRYPTO stream begin with those of the test.
          $0.ticketsPerConnection = 0
        }),
      attacksServer: attacksServer)
  }

  private static func crypto(_ offset: Int, _ bytes: some Collection<UInt8>) -> [UInt8] {
    Wire.quic(6, UInt64(offset), UInt64(bytes.count), then: Array(bytes))
  }

  private static func verdict(_ attack: RawAttack, after packets: [[UInt8]]) throws -> HTTP3Error.Code? {
    for frames in packets {
      attack.send(frames: frames)
      try attack.pair.run(for: .milliseconds(20))
    }
    try attack.pair.run(for: .seconds(2))
    return attack.verdict?.code
  }

  @Test(arguments: [true, false], 1...5)
  func aKeyUpdateEndsTheConnectionHoweverItIsCut(_ attacksServer: Bool, _ size: Int) throws {
    let attack = try Self.attack(onServer: attacksServer)
    let pieces = stride(from: 0, to: 5, by: size).map {
      Self.crypto($0, Self.keyUpdate[$0..<min($0 + size, 5)])
    }
    #expect(try Self.verdict(attack, after: pieces) == Self.unexpectedMessage)
  }

  @Test(arguments: [true, false])
  func aKeyUpdateEndsTheConnectionInWhateverOrderItComes(_ attacksServer: Bool) throws {
    let attack = try Self.attack(onServer: attacksServer)
    let pieces = [4, 2, 3, 1, 0].map { Self.crypto($0, Self.keyUpdate[$0...$0]) }
    #expect(try Self.verdict(attack, after: pieces) == Self.unexpectedMessage)
  }

  @Test(arguments: [true, false])
  func aKeyUpdateOfManyFramesInOnePacketEndsTheConnection(_ attacksServer: Bool) throws {
    let attack = try Self.attack(onServer: attacksServer)
    let packet = (0..<5).flatMap { index -> [UInt8] in Self.crypto(index, Self.keyUpdate[index...index]) + [0, 1] }
    #expect(try Self.verdict(attack, after: [packet]) == Self.unexpectedMessage)
  }

  @Test(arguments: [true, false], [0, 1, 2, 5, 8, 11, 13, 15, 20, 24, 25, 254] as [UInt8])
  func noOtherMessageIsTaken(_ attacksServer: Bool, _ type: UInt8) throws {
    let attack = try Self.attack(onServer: attacksServer)
    #expect(try Self.verdict(attack, after: [Self.crypto(0, [type, 0, 0, 4, 0, 0, 0, 0])]) == Self.unexpectedMessage)
  }

  @Test func aServerTakesNoTicket() throws {
    let attack = try Self.attack(onServer: true)
    let ticket = [4, 0, 0, 15, 0, 0, 0, 60, 1, 2, 3, 4, 0, 0, 2, 7, 7, 0, 0] as [UInt8]
    #expect(try Self.verdict(attack, after: [Self.crypto(0, ticket)]) == Self.unexpectedMessage)
  }

  /// A ticket is 2^16 bytes at the most; nobody keeps more for one.
  @Test func aTicketThatIsTooLongEndsTheConnection() throws {
    let attack = try Self.attack(onServer: false)
    #expect(try Self.verdict(attack, after: [Self.crypto(0, [4, 1, 0, 1])]) == Self.cryptoBufferExceeded)
  }

  @Test(arguments: [true, false])
  func bytesOutOfOrderHaveALimit(_ attacksServer: Bool) throws {
    let near = try Self.attack(onServer: attacksServer)
    #expect(try Self.verdict(near, after: [Self.crypto((16 << 10) - 1, [0])]) == nil)
    let far = try Self.attack(onServer: attacksServer)
    #expect(try Self.verdict(far, after: [Self.crypto(16 << 10, [0])]) == Self.cryptoBufferExceeded)
  }

  @Test(arguments: [true, false])
  func gapsHaveALimit(_ attacksServer: Bool) throws {
    let few = try Self.attack(onServer: attacksServer)
    #expect(try Self.verdict(few, after: [(0..<64).flatMap { Self.crypto(1 + $0 * 2, [0]) }]) == nil)
    let many = try Self.attack(onServer: attacksServer)
    #expect(
      try Self.verdict(many, after: [(0..<65).flatMap { Self.crypto(1 + $0 * 2, [0]) }])
        == Self.cryptoBufferExceeded)
  }
}
