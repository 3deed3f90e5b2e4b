import Synchronization
import TestSupport
import Testing

@testable import HTTP3Engine

/// Connection ids that a peer gives faster than their retirement is acknowledged.
@Suite struct ConnectionIDBudgetTests {
  /// The number of new ids that are accepted.
  private static func spend(_ budget: inout ConnectionIDBudget) -> Int {
    var count = 0
    while case .within = budget.spend(next()) { count += 1 }
    return count
  }

  private static let sequence = Atomic<UInt64>(1_000)
  private static func next() -> UInt64 { sequence.add(1, ordering: .relaxed).newValue }

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
    for _ in 0..<6 { _ = budget.spend(Self.next()) }
    budget.refill()
    #expect(Self.spend(&budget) == 8)
    for _ in 0..<100 { budget.refill() }
    #expect(Self.spend(&budget) == 7)
  }

  @Test func aFloodIsReportedFromFramesSentAgain() {
    var budget = ConnectionIDBudget()
    var verdicts = (0..<14 + 64).map { _ in budget.spend(Self.next()) }
    #expect(verdicts.suffix(64).allSatisfy { $0 == .tooSoon })
    #expect(budget.spend(Self.next()) == .flood)
    budget.refill()
    verdicts = (0..<8).map { _ in budget.spend(Self.next()) }
    #expect(verdicts.last == .tooSoon)
  }

  /// An honest peer sends again what counts as lost (RFC 9000 § 13.3).
  @Test func anIDThatIsSentAgainCountsOnce() {
    var budget = ConnectionIDBudget()
    for _ in 0..<1_000 { #expect(budget.spend(3) == .within) }
    #expect(Self.spend(&budget) == 13)
    #expect(budget.spend(3) == .within)
  }

  /// The library forgets that an id was retired once the peer knows, and would remember it again.
  @Test func anIDThatIsSentAgainAfterItsRetirementCountsAgain() {
    var budget = ConnectionIDBudget()
    for sequence in 1...14 as ClosedRange<UInt64> { #expect(budget.spend(sequence) == .within) }
    budget.refill()
    for sequence in 1...7 as ClosedRange<UInt64> { #expect(budget.spend(sequence) == .within) }
    #expect(budget.spend(8) == .tooSoon)
    #expect(budget.spend(7) == .within)
  }

  /// A client's way to spend ids until the server's library has no place left to remember a retired one.
  enum Move: CaseIterable, Sendable {
    /// PATH_CHALLENGE from five ports: the fifth retires the id of the first, ngtcp2_conn.c:9151 of 1.11.0.
    case challenges
    /// The client goes from port to port: a path that it leaves untried gives up its id, ngtcp2_conn.c:9140.
    case migrations
  }

  /// Ids that retire each other, and then packets from other ports: without the budget an assertion of the library's ends
  /// the process.
  @Test(arguments: Move.allCases)
  func theServerLivesThroughRetirementsAndMoves(_ move: Move) throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    let pair = attack.pair
    // All of it arrives at once, before any of it is acknowledged.
    var port: UInt16?
    var packets: [(bytes: [UInt8], port: UInt16?)] = []
    pair.onClientDatagram = {
      packets.append(($0, port))
      return false
    }
    func write(_ frames: [[UInt8]]) throws {
      let count = packets.count + frames.count
      for frame in frames { attack.send(frames: frame) }
      try pair.run { packets.count >= count }
    }
    // The client's own are 0 to 6. The first of these retires all seven, and each of the others the one before: 16.
    let last: UInt64 = 16
    try write((7...last).map { Self.newConnectionID($0, retiring: $0) })
    // As many more stay in use as the paths take.
    try write((last + 1...last + 5).map { Self.newConnectionID($0, retiring: last) })
    for number in 0..<6 as Range<UInt8> {
      port = 50_000 + UInt16(number)
      switch move {
      case .challenges: try write([Wire.quic(0x1a, then: [number, 0, 0, 0, 0, 0, 0, 0])])
      case .migrations:
        var path = pair.clientPath
        path.local.port = 50_000 + UInt16(number)
        guard pair.client.migrate(to: path, .immediate, at: pair.now) == .started else { break }
        try write([[1], [1], [1]])
      }
    }
    pair.onClientDatagram = { _ in true }
    for packet in packets { pair.injectToServer(packet.bytes, fromPort: packet.port) }
    try pair.run(for: .seconds(1))
    try pair.replaceClient(QUICPair.clientConfiguration())
    let client = RequestClient(on: pair)
    _ = EchoServer(on: pair)
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100))
  }

  private static func newConnectionID(_ sequence: UInt64, retiring: UInt64) -> [UInt8] {
    let id = [UInt8](repeating: UInt8(sequence), count: 16)
    return Wire.quic(0x18, sequence, retiring) + [16] + id + id
  }
}
