import TestSupport
import Testing

@testable import HTTP3Engine

/// Connection ids that a peer gives faster than their retirement is acknowledged.
@Suite struct ConnectionIDBudgetTests {
  private static func spend(_ budget: inout ConnectionIDBudget) -> Int {
    var count = 0
    while case .within = budget.spend() { count += 1 }
    return count
  }

  /// The library has 16 places; one of the 15 that are used here is the handshake's id.
  @Test func givesNoMoreThanTheLibraryRemembers() {
    var budget = ConnectionIDBudget()
    #expect(Self.spend(&budget) == 14)
    #expect(Self.spend(&budget) == 0)
    budget.refill()
    // Up to eight may still be in use.
    #expect(Self.spend(&budget) == 7)
    budget.refill()
    #expect(Self.spend(&budget) == 7)
  }

  @Test func countsWhatIsInUse() {
    var budget = ConnectionIDBudget()
    for _ in 0..<6 { _ = budget.spend() }
    budget.refill()
    #expect(Self.spend(&budget) == 8)
    for _ in 0..<100 { budget.refill() }
    #expect(Self.spend(&budget) == 7)
  }

  @Test func aFloodIsToldFromFramesSentAgain() {
    var budget = ConnectionIDBudget()
    var verdicts = (0..<14 + 64).map { _ in budget.spend() }
    #expect(verdicts.suffix(64).allSatisfy { $0 == .tooSoon })
    #expect(budget.spend() == .flood)
    budget.refill()
    verdicts = (0..<8).map { _ in budget.spend() }
    #expect(verdicts.last == .tooSoon)
  }

  /// Ids that retire each other, and then packets from many addresses; the library's assertion would end the process.
  @Test func theServerLivesThroughRetirementsAndMoves() throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    var packets: [[UInt8]] = []
    attack.pair.onClientDatagram = {
      packets.append($0)
      return false
    }
    for sequence in 7..<24 as Range<UInt64> {
      let id = [UInt8](repeating: UInt8(sequence), count: 16)
      attack.send(frames: Wire.quic(0x18, sequence, sequence) + [16] + id + id)
    }
    for number in 0..<8 as Range<UInt8> {
      attack.send(frames: Wire.quic(0x1a, then: [number, 0, 0, 0, 0, 0, 0, 0]) + [1])
    }
    try attack.pair.run(for: .milliseconds(1))
    attack.pair.onClientDatagram = { _ in true }
    for (number, packet) in packets.enumerated() {
      attack.pair.injectToServer(packet, fromPort: number < 17 ? nil : 50_000 + UInt16(number))
    }
    try attack.pair.run(for: .seconds(1))
    try attack.pair.replaceClient(QUICPair.clientConfiguration())
    let client = RequestClient(on: attack.pair)
    _ = EchoServer(on: attack.pair)
    client.send("GET", "/bytes/100")
    try attack.pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100))
  }
}
