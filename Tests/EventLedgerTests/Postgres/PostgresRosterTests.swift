import Testing

@testable import EventLedgerPostgres

struct PostgresRosterTests {
  private let start = ContinuousClock.now

  @Test func workersWithAConnectionComeFirst() {
    var roster = PostgresRoster(workers: 3)
    let workers = (0..<3).compactMap { _ in roster.take(at: start) }
    #expect(workers == [0, 1, 2] && roster.take(at: start) == nil)
    roster.putBack(0, .connected)
    roster.putBack(1, .none)
    roster.putBack(2, .connected)
    #expect((0..<3).map { _ in roster.take(at: start) } == [2, 0, 1])
  }

  @Test func whatPausesIsUsedWhenItsPauseIsOverOrNobodyElseIsAtWork() {
    var roster = PostgresRoster(workers: 3)
    for _ in 0..<3 { _ = roster.take(at: start) }
    roster.putBack(0, .connected)
    roster.putBack(1, .pausing(until: start + .seconds(5)))
    roster.putBack(2, .pausing(until: start + .seconds(3)))
    #expect(roster.take(at: start) == 0)
    #expect(!roster.hasOthersAtWork)
    #expect(roster.take(at: start + .seconds(2)) == nil)
    #expect(roster.take(at: start + .seconds(3)) == 2)
    #expect(roster.hasOthersAtWork)
    #expect(roster.take(at: start + .seconds(4)) == nil)
    roster.putBack(0, .none)
    roster.putBack(2, .pausing(until: start + .seconds(9)))
    #expect(roster.take(at: start + .seconds(4)) == 0)
    roster.putBack(0, .pausing(until: start + .seconds(9)))
    // There is no server, which any of them tells.
    #expect(roster.take(at: start + .seconds(4)) == 0)
  }
}
