import TestSupport
import Testing

@testable import HTTP3Engine

@Suite struct RepeatLedgerTests {
  private static func at(_ milliseconds: Int) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000) + .milliseconds(milliseconds)
  }

  /// Packets of ten bytes each, twenty milliseconds apart.
  private static func ledger(hedge: Duration? = nil, packets: Int) -> RepeatLedger {
    var ledger = RepeatLedger(hedge: hedge)
    for packet in 0..<UInt64(packets) {
      ledger.didSend(packet * 10..<(packet + 1) * 10, in: packet, at: at(20 * Int(packet)))
    }
    return ledger
  }

  @Test func whatEarlierPacketsHadRidesAlongOnceAndThePacketsOwnBehindIt() {
    var ledger = Self.ledger(packets: 3)
    #expect(ledger.takeRide(in: 2, room: 1_000) == 0..<30)
    #expect(ledger.takeRide(in: 2, room: 1_000) == nil)
    #expect(ledger.takeRide(in: 3, room: 1_000) == 20..<30)
    #expect(ledger.takeRide(in: 4, room: 1_000) == nil)
    #expect(ledger.hedgeDeadline == nil)
  }

  /// The stream is held up by the first for as long as it is not acknowledged.
  @Test func aPacketsOwnAreCopiedUnlessThereAreNoOthers() {
    var ledger = Self.ledger(packets: 1)
    #expect(ledger.takeRide(in: 0, room: 1_000) == nil)
    #expect(ledger.takeRide(in: 1, room: 1_000) == 0..<10)
    ledger.didSend(10..<20, in: 2, at: Self.at(20))
    #expect(ledger.takeRide(in: 2, room: 1_000) == 10..<20)
    ledger.didAcknowledge(upTo: 20)
    ledger.didSend(20..<30, in: 3, at: Self.at(40))
    #expect(ledger.takeRide(in: 3, room: 1_000) == nil)
  }

  @Test func whatTheRoomCutsOffIsNotRepeatedLater() {
    var ledger = Self.ledger(packets: 3)
    #expect(ledger.takeRide(in: 5, room: 15) == 0..<15)
    #expect(ledger.takeRide(in: 6, room: 15) == 20..<30)
    #expect(ledger.takeRide(in: 7, room: 0) == nil)
  }

  @Test func whatFoundNoRoomIsGivenUp() {
    var ledger = Self.ledger(hedge: .milliseconds(5), packets: 3)
    ledger.dropRides(in: 3)
    #expect(ledger.takeRide(in: 4, room: 1_000) == nil)
    #expect(ledger.hedgeDeadline == nil)
  }

  @Test func whatIsAcknowledgedIsNotRepeated() {
    var ledger = Self.ledger(packets: 5)
    #expect(ledger.didAcknowledge(upTo: 15) != nil)
    #expect(ledger.didAcknowledge(upTo: 15) == nil, "nothing new")
    // As a repeat, in the middle.
    ledger.didArrive(20..<30)
    #expect(ledger.takeRide(in: 9, room: 1_000) == 15..<20)
    #expect(ledger.takeRide(in: 9, room: 1_000) == 30..<50)
    ledger.didAcknowledge(upTo: 50)
    #expect(ledger.takeRide(in: 10, room: 1_000) == nil)
  }

  @Test func aHedgeIsDueForWhatNothingHasCarried() {
    var ledger = Self.ledger(hedge: .milliseconds(5), packets: 1)
    #expect(ledger.hedgeDeadline == Self.at(5))
    let tooEarly = ledger.takeHedge(at: Self.at(2), room: 1_000)
    #expect(tooEarly == nil)
    #expect(ledger.takeHedge(at: Self.at(5), room: 1_000) == 0..<10)
    #expect(ledger.hedgeDeadline == nil)
    // It has a ride left, and no more.
    ledger.didSend(10..<20, in: 1, at: Self.at(20))
    #expect(ledger.takeRide(in: 1, room: 1_000) == 0..<20)
    #expect(ledger.hedgeDeadline == Self.at(25))
    #expect(ledger.takeRide(in: 2, room: 1_000) == 10..<20)
    #expect(ledger.hedgeDeadline == nil)
    #expect(ledger.takeRide(in: 3, room: 1_000) == nil)
  }

  @Test func whatWillBeDueSoonSharesAHedge() {
    var ledger = RepeatLedger(hedge: .milliseconds(6))
    ledger.didSend(0..<10, in: 0, at: Self.at(0))
    ledger.didSend(10..<20, in: 1, at: Self.at(2))
    ledger.didSend(20..<30, in: 2, at: Self.at(5))
    #expect(ledger.takeHedge(at: Self.at(6), room: 1_000) == 0..<20)
    #expect(ledger.hedgeDeadline == Self.at(11))
    ledger.dropHedges(at: Self.at(10))
    #expect(ledger.hedgeDeadline == Self.at(11))
    ledger.dropHedges(at: Self.at(11))
    #expect(ledger.hedgeDeadline == nil)
  }

  @Test func aFatResponseGetsNone() {
    var much = Self.ledger(packets: 3)
    much.passOver(10, at: Self.at(60))
    #expect(much.takeRide(in: 9, room: 1_000) == nil)
    var fast = RepeatLedger(hedge: nil)
    var place: UInt64 = 0
    var thin = 0
    // A kilobyte each millisecond, acknowledged at once.
    for packet in 0..<1_000 as Range<UInt64> {
      fast.didSend(place..<place + 1_000, in: packet, at: Self.at(Int(packet)))
      if fast.takeRide(in: packet + 1, room: 1_000) != nil { thin += 1 }
      place += 1_000
      fast.didAcknowledge(upTo: place)
    }
    // What the burst allows, and the share of the rate.
    #expect((17...90).contains(thin), "\(thin)")
    // A second of silence makes it a thin one.
    fast.didSend(place..<place + 10, in: 2_000, at: Self.at(2_000))
    #expect(fast.takeRide(in: 2_001, room: 1_000) == place..<place + 10)
  }

  @Test func itRemembersSoManyPackets() {
    var ledger = Self.ledger(packets: RepeatLedger.segmentLimit + 7)
    #expect(ledger.takeRide(in: .max, room: .max)?.lowerBound == 70)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func noByteIsRepeatedMoreOftenThanItMay(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let hedge: Duration? = generator.chance(0.5) ? .milliseconds(5) : nil
    var ledger = RepeatLedger(hedge: hedge)
    var sent: UInt64 = 0
    var acknowledged: UInt64 = 0
    var repeats = [Int](repeating: 0, count: 100_000)
    for step in 0..<500 {
      let packet = UInt64(step)
      switch UInt8.random(in: 0..<5, using: &generator) {
      case 0, 1:
        let count = UInt64.random(in: 1...100, using: &generator)
        ledger.didSend(sent..<sent + count, in: packet, at: Self.at(step))
        sent += count
      case 2:
        acknowledged = UInt64.random(in: acknowledged...sent, using: &generator)
        ledger.didAcknowledge(upTo: acknowledged)
      case 3 where sent > 0:
        let start = UInt64.random(in: 0..<sent, using: &generator)
        ledger.didArrive(start..<UInt64.random(in: start...sent, using: &generator))
      default:
        let room = Int.random(in: 0...300, using: &generator)
        let range =
          generator.chance(0.5)
          ? ledger.takeRide(in: packet, room: room) : ledger.takeHedge(at: Self.at(step), room: room)
        guard let range else { continue }
        #expect(range.lowerBound >= acknowledged && range.upperBound <= sent, "seed \(seed)")
        #expect(!range.isEmpty && range.count <= room, "seed \(seed)")
        for place in range { repeats[Int(place)] += 1 }
      }
    }
    // With the copy in the packet that it was sent in.
    #expect(repeats.allSatisfy { $0 <= (hedge == nil ? 2 : 3) }, "seed \(seed)")
  }
}
