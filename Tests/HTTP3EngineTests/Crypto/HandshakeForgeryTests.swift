import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Initial and Handshake packets with CRYPTO bytes that no handshake has.
@Suite struct HandshakeForgeryTests {
  private static func crypto(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    Wire.quic(6, UInt64(offset), UInt64(bytes.count), then: bytes)
  }

  /// The server's verdict on a handshake in which one of the client's packets carries these frames in place of its
  /// own.
  private static func verdict(inInitial: Bool, _ frames: [UInt8]) throws -> HTTP3Error.Code? {
    let pair = try QUICPair.make(clientLimits: { $0.isRaw = true })
    var verdict: HTTP3Error?
    pair.onServer = { _, event in
      if case .closed(let error) = event, error.side == .local { verdict = verdict ?? error }
    }
    pair.client.raw?.forgeHandshake(frames, inInitial: inInitial)
    try pair.run(for: .seconds(9))
    return verdict?.code
  }

  @Test func aKeyUpdateInAHandshakePacketEndsTheConnection() throws {
    let found = try Self.verdict(inInitial: false, Self.crypto(0, [24, 0, 0, 1, 0]))
    #expect(found == .tlsAlert(10))
  }

  @Test(arguments: [true, false])
  func bytesFarAheadEndTheConnection(_ inInitial: Bool) throws {
    let found = try Self.verdict(inInitial: inInitial, Self.crypto(64 << 10, [0]))
    #expect(found == .transport(QUICErrorCode(rawValue: 0xd)))
  }

  @Test func gapsEndTheConnection() throws {
    let found = try Self.verdict(inInitial: true, (0..<65).flatMap { Self.crypto(2_000 + $0 * 2, [0]) })
    #expect(found == .transport(QUICErrorCode(rawValue: 0xd)))
  }

  /// GnuTLS would keep it, and read it with the next ticket.
  @Test(arguments: [true, false])
  func aKeyUpdateBehindFinishedEndsTheConnection(_ attacksServer: Bool) throws {
    let keyUpdate = [24, 0, 0, 1, 0] as [UInt8]
    let pair = try QUICPair.make(
      clientLimits: {
        $0.isRaw = attacksServer
        if attacksServer { $0.rawBehindFinished = keyUpdate }
      },
      server: {
        $0.connection.isRaw = !attacksServer
        if !attacksServer { $0.connection.rawBehindFinished = keyUpdate }
      })
    var verdict: HTTP3Error?
    let note = { (event: HTTP3Event) in
      if case .closed(let error) = event, error.side == .local { verdict = verdict ?? error }
    }
    if attacksServer { pair.onServer = { note($1) } } else { pair.onClient = note }
    try pair.run(for: .seconds(2))
    #expect(verdict?.code == .tlsAlert(10))
  }
}
