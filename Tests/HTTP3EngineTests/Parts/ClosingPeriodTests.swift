import Testing

@testable import HTTP3Engine

/// A closed connection's answers (RFC 9000 § 10.2.1).
@Suite struct ClosingPeriodTests {
  private let path = NetworkPath(
    local: NetworkAddress(ip: .v4(1), port: 1), remote: NetworkAddress(ip: .v4(2), port: 2))

  @Test func strayPacketsAreAnsweredEverMoreRarely() {
    var period = ClosingPeriod(packet: [1, 2, 3], path: path, end: Timestamp(nanoseconds: 1))
    let first = period.takePacket()
    let second = period.takePacket()
    #expect(first == [1, 2, 3] && second == nil)
    let answered = (1...64).filter { _ in
      period.didReceive()
      return period.takePacket() != nil
    }
    #expect(answered == [1, 2, 4, 8, 16, 32, 64])
  }

  @Test func onlyAConnectionThatEndsHasAnEndToWaitFor() {
    let end = Timestamp(nanoseconds: 9)
    #expect(ConnectionPhase.active.deadline == nil)
    #expect(ConnectionPhase.over().deadline == nil)
    #expect(ConnectionPhase.draining(until: end).deadline == end)
    #expect(ConnectionPhase.closing(ClosingPeriod(packet: [], path: path, end: end)).deadline == end)
  }
}
