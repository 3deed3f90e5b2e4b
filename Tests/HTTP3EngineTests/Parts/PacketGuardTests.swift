import Testing

@testable import HTTP3Engine

/// A packet's HANDSHAKE_DONE is accepted once the client's Finished has left.
@Suite struct PacketGuardTests {
  /// HANDSHAKE_DONE alone, in a packet of this number.
  private func verdict(_ packetGuard: PacketGuard, number: UInt8) -> Bool {
    let (header, frames): ([UInt8], [UInt8]) = ([0x40, number], [0x1e])
    return header.withUnsafeBytes { header in
      frames.withUnsafeBytes {
        switch packetGuard.judge(packet: $0, header: header, at: .oneRTT, now: Timestamp(nanoseconds: 1)) {
        case .read: true
        case .discard, .close: false
        }
      }
    }
  }

  /// The first byte and version of a long header of the type, with ids of no length, and an empty payload.
  private func datagram(_ type: LongHeaderType) -> [UInt8] {
    [0xc0 | type.rawValue << 4, 0, 0, 0, 1, 0, 0] + (type == .initial ? [0, 0] : [0])
  }

  @Test func aServersConfirmationIsTakenOnceTheClientsFinishedHasLeft() {
    let client = PacketGuard(isServer: false)
    #expect(!verdict(client, number: 1) && !client.isFirstWriteDue)
    client.handshakeDidComplete()
    #expect(client.isFirstWriteDue)
    let isFirst = client.takeFirstWrite()
    let isAgain = client.takeFirstWrite()
    #expect(isFirst && !isAgain)
    datagram(.initial).withUnsafeBytes { client.didWrite($0) }
    #expect(!verdict(client, number: 2))
    (datagram(.initial) + datagram(.handshake)).withUnsafeBytes { client.didWrite($0) }
    #expect(verdict(client, number: 3))
    #expect(!verdict(client, number: 3), "a copy")
  }

  @Test func aHandshakePacketBeforeTheEndOfTheHandshakeHoldsNoFinished() {
    let client = PacketGuard(isServer: false)
    datagram(.handshake).withUnsafeBytes { client.didWrite($0) }
    client.handshakeDidComplete()
    #expect(!verdict(client, number: 1))
  }

  @Test func aServerWaitsForNoFinishedOfItsOwn() {
    let server = PacketGuard(isServer: true)
    server.handshakeDidComplete()
    #expect(verdict(server, number: 1) && !server.isFirstWriteDue)
  }
}
