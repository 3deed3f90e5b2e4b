import Testing

@testable import StreamTransport

@Suite struct ReadGateTests {
  @Test func closesAtTheHighMarkAndOpensOnceAtHalf() {
    let gate = ReadGate(high: 100)
    gate.add(99)
    #expect(gate.isOpen)
    gate.add(1)
    #expect(!gate.isOpen)
    #expect(!gate.remove(49))
    #expect(gate.remove(1))
    #expect(gate.isOpen)
    #expect(!gate.remove(50))
  }

  @Test func removingMoreThanCameDoesNoHarm() {
    let gate = ReadGate(high: 10)
    gate.add(20)
    #expect(gate.remove(1_000))
    gate.add(9)
    #expect(gate.isOpen)
  }
}
