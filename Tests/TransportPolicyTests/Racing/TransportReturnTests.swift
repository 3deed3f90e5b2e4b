import Testing
import TransportPolicy

@Suite struct TransportReturnTests {
  /// A race that the second has won because the first failed.
  private static func wonBySecond() -> TransportRace {
    var race = TransportRace()
    _ = race.start()
    _ = race.failed(.first, reason: "No way.", race: 1)
    _ = race.connected(.second, race: 1)
    return race
  }

  @Test func aFirstThatIsConnectedAfterAllTakesTheSecondsPlace() {
    var race = Self.wonBySecond()
    let outcome = RaceOutcome(winner: .first, loser: .replaced)
    #expect(race.firstReturned(race: 1) == [.use(outcome, race: 2)])
    #expect(race.outcome == outcome)
    #expect(race.start() == [], "it is in use")
  }

  @Test func theEndOfTheSecondsConnectionChangesNothingThen() {
    var race = Self.wonBySecond()
    _ = race.firstReturned(race: 1)
    race.connectionLost(.second, reason: "closed", race: 1)
    #expect(race.outcome?.winner == .first)
    race.connectionLost(.first, reason: "cut", race: 2)
    #expect(race.failures == [RaceFailure(side: .first, reason: "cut")])
    #expect(race.start().first == .start(.first, race: 3))
  }

  @Test func oneThatComesTooLateIsClosed() {
    var race = Self.wonBySecond()
    race.connectionLost(.second, reason: "cut", race: 1)
    #expect(race.firstReturned(race: 1) == [.close(.first, race: 1)])
    _ = race.start()
    #expect(race.firstReturned(race: 1) == [.close(.first, race: 1)])
    #expect(race.isRacing)
  }
}
