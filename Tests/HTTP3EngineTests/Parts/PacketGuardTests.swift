import Testing

@testable import HTTP3Engine

/// A packet's HANDSHAKE_DONE is accepted once the client's Finished has left.
@Suite struct PacketGuardTests {
  /// HANDSHAKE_DONE alone.
  private func verdict(_ packetGuard: PacketGuard) -> Bool {
    let frames: [UInt8] = [0x1e]
    return frames.withUnsafeBytes {
      switch packetGuard.judge(packet: $0, at: .oneRTT) {
      case .read: true
      case .discard, .close: false
      }
    }
  }

  /// The first byte and version of a long header of the type, with ids of no length, and an empty payload.
  private func datagram(_ type: LongHeaderType) -> [UInt8] {
    [0xc0 | type.rawValue << 4, 0, 0, 0, 1, 0, 0] + (type == .initial ? [0, 0] : [0])
  }

  @Test func aServersConfirmationIsTakenOnceTheClientsFinishedHasLeft() {
    let client = PacketGuard(isServer: false)
    #expect(!verdict(client) && !client.isFirstWriteDue)
    client.handshakeDidComplete()
    #expect(client.isFirstWriteDue)
    let isFirst = client.takeFirstWrite()
    let isAgain = client.takeFirstWrite()
    #expect(isFirst && !isAgain)
    datagram(.initial).withUnsafeBytes { client.didWrite($0) }
    #expect(!verdict(client))
    (datagram(.initial) + datagram(.handshake)).withUnsafeBytes { client.didWrite($0) }
    #expect(verdict(client))
  }

  @Test func aHandshakePacketBeforeTheEndOfTheHandshakeHoldsNoFinished() {
    let client = PacketGuard(isServer: false)
    datagram(.handshake).withUnsafeBytes { client.didWrite($0) }
    client.handshakeDidComplete()
    #expect(!verdict(client))
  }

  @Test func aServerWaitsForNoFinishedOfItsOwn() {
    let server = PacketGuard(isServer: true)
    server.handshakeDidComplete()
    #expect(verdict(server) && !server.isFirstWriteDue)
  }
}
