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
        case .discard, .copy, .close: false
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

  /// PINGs in packets of 0-RTT, which cost as in others; their copies cost nothing, also where the handshake is over.
  @Test func earlyPacketsAreCounted() {
    let server = PacketGuard(isServer: true)
    let pings = [UInt8](repeating: 1, count: 900)
    func verdict(_ header: [UInt8], _ level: HandshakeMessageOrder.Level?) -> PacketGuard.Verdict {
      header.withUnsafeBytes { header in
        pings.withUnsafeBytes { server.judge(packet: $0, header: header, at: level, now: Timestamp(nanoseconds: 1)) }
      }
    }
    func early(_ number: UInt8) -> [UInt8] { [0xd0, 0, 0, 0, 1, 0, 0, 1, number] }
    guard case .read = verdict(early(0), nil), case .copy = verdict(early(0), nil),
      case .copy = verdict([0x40, 0], .oneRTT)
    else {
      Issue.record("a copy was counted, or a packet was not")
      return
    }
    var error: HTTP3Error?
    for number in UInt8(1)...20 {
      if case .close(let reason) = verdict(early(number), nil) { error = error ?? reason }
    }
    #expect(error?.code == .transport(.internalError))
  }

  @Test func aServerWaitsForNoFinishedOfItsOwn() {
    let server = PacketGuard(isServer: true)
    server.handshakeDidComplete()
    #expect(verdict(server, number: 1) && !server.isFirstWriteDue)
  }
}
