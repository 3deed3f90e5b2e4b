import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Initial and Handshake packets with CRYPTO bytes that no handshake has.
@Suite struct HandshakeForgeryTests {
  private static func crypto(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    Wire.quic(6, UInt64(offset), UInt64(bytes.count), then: bytes)
  }

  /// How the server ended a handshake of which one of the client's packets carries these frames in place of its own.
  private static func verdict(inInitial: Bool, _ frames: [UInt8]) throws -> HTTP3Error.Code? {
    let pair = try QUICPair.make(clientLimits: { $0.isRaw = true })
    var verdict: HTTP3Error?
    pair.onServer = { _, event in
      if case .closed(let error) = event, error.side == .local { verdict = verdict ?? error }
    }
    pair.client.forgeHandshake(frames, inInitial: inInitial)
    try pair.run(for: .seconds(9))
    return verdict?.code
  }

  @Test func aKeyUpdateInAHandshakePacketEndsTheConnection() throws {
    let found = try Self.verdict(inInitial: false, Self.crypto(0, [24, 0, 0, 1, 0]))
    #expect(found == .tlsAlert(10))
  }

  /// Finished has 4 and 32 bytes with SHA-256, and is sent again behind the forged packet, which is lost to it.
  @Test func aKeyUpdateBehindFinishedEndsTheConnection() throws {
    let found = try Self.verdict(inInitial: false, Self.crypto(36, [24, 0, 0, 1, 0]))
    #expect(found == .tlsAlert(10))
  }

  @Test(arguments: [true, false])
  func bytesFarAheadEndTheConnection(_ inInitial: Bool) throws {
    let found = try Self.verdict(inInitial: inInitial, Self.crypto(64 << 10, [0]))
    #expect(found == (inInitial ? nil : .transport(QUICErrorCode(rawValue: 0xd))))
  }

  @Test func gapsEndTheConnection() throws {
    let frames = (0..<65).flatMap { Self.crypto(40 + $0 * 2, [0]) }
    let found = try Self.verdict(inInitial: false, frames)
    #expect(found == .transport(QUICErrorCode(rawValue: 0xd)))
  }
}
