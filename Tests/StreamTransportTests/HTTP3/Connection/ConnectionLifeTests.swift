import Testing

@testable import HTTP3Engine
@testable import StreamTransport

@Suite struct ConnectionLifeTests {
  private static let start = Timestamp(nanoseconds: 1_000_000_000)
  private static let handshake = HandshakeInfo(
    version: 1, cipherNumber: 0, groupNumber: 0, isResumed: true, earlyData: .rejected)
  private let life = ConnectionLife(to: .loopback(port: 443), at: Self.start, nameLookup: .milliseconds(2))

  @Test func whatWasAgreedOnIsKnownFromTheHandshakeOn() async throws {
    var life = life
    #expect(life.info == nil && !life.takesRequests && life.isLive)
    let agreed = life.establish(Self.handshake, at: Self.start + .milliseconds(23))
    let info = try #require(agreed)
    #expect(info.handshake == .milliseconds(23) && info.nameLookup == .milliseconds(2))
    #expect(info.resumption == .earlyDataRefused && info.remoteAddress == "127.0.0.1:443" && info.quicVersion == 1)
    #expect(life.takesRequests && life.info == info)
    #expect(try await life.handshakeEnd.value() == info)
    #expect(life.establish(Self.handshake, at: Self.start) == nil, "The handshake ends once.")
  }

  @Test func whatIsLeavingTakesNoRequests() {
    var life = life
    _ = life.establish(Self.handshake, at: Self.start)
    life.leave()
    #expect(life.isLeaving && !life.takesRequests && life.isLive && life.info != nil)
  }

  @Test func whatLeavesBeforeItsHandshakeIsDoneStillLeaves() {
    var life = life
    life.leave()
    #expect(life.establish(Self.handshake, at: Self.start) != nil)
    #expect(life.isLeaving && !life.takesRequests)
  }

  @Test(arguments: [false, true]) func theFirstReasonStands(isEstablished: Bool) async throws {
    var life = life
    if isEstablished { _ = life.establish(Self.handshake, at: Self.start) }
    life.end(TransportError(.connectionLost, "first"))
    life.end(TransportError(.idleTimeout, "second"))
    life.leave()
    #expect(life.failure?.message == "first" && !life.isLive && !life.takesRequests && !life.isLeaving)
    #expect((life.info != nil) == isEstablished, "What was agreed on stays known.")
    #expect(life.establish(Self.handshake, at: Self.start) == nil)
    let handshakeEnd = life.handshakeEnd
    if isEstablished {
      _ = try await handshakeEnd.value()
    } else {
      await #expect(throws: TransportError.self) { try await handshakeEnd.value() }
    }
  }
}
