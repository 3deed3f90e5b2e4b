import Testing

@testable import StreamTransport

@Suite struct CreditLedgerTests {
  @Test func theLoopIsWokenOnceForAQuarterOfTheWindowOverAllStreams() {
    let ledger = CreditLedger<Int>(window: 396)
    #expect(!ledger.add(60, on: 0))
    #expect(ledger.add(40, on: 4))
    #expect(!ledger.add(500, on: 0))
    #expect(take(from: ledger) == [0: 560, 4: 40])
    #expect(take(from: ledger).isEmpty)
  }

  @Test func whatWasTakenAlongIsNotWaitedFor() {
    let ledger = CreditLedger<Int>(window: 396)
    #expect(!ledger.add(99, on: 0))
    #expect(take(from: ledger) == [0: 99])
    #expect(!ledger.add(99, on: 0))
    #expect(ledger.add(1, on: 0))
  }

  @Test func theSmallestWindowWaitsForNothing() {
    let ledger = CreditLedger<Int>(window: 1)
    #expect(ledger.add(1, on: 0))
  }

  private func take(from ledger: CreditLedger<Int>) -> [Int: Int] {
    var taken: [Int: Int] = [:]
    ledger.takeAll(into: &taken)
    return taken
  }
}
