import EventStream
import Testing

@Suite("Transport race")
struct TransportRaceTests {
  /// A race that has been started.
  private static func started() -> TransportRace {
    var race = TransportRace()
    _ = race.start()
    return race
  }

  @Test func theFirstStartsAtOnceWithAHeadStart() {
    var race = TransportRace()
    #expect(race.start() == [.start(.first, race: 1), .scheduleHeadStart(.milliseconds(250), race: 1)])
    #expect(race.isRacing)
    #expect(race.start() == [], "one race at a time")
  }

  @Test func theFirstWinsWithinItsHeadStart() {
    var race = Self.started()
    let outcome = RaceOutcome(winner: .first, loser: .notStarted)
    #expect(race.connected(.first, race: 1) == [.cancelHeadStart(race: 1), .use(outcome, race: 1)])
    #expect(race.outcome == outcome)
    #expect(race.headStartElapsed(race: 1) == [], "too late")
    #expect(race.start() == [], "the winner is in use")
  }

  @Test func theSecondStartsWhenTheHeadStartIsOver() {
    var race = Self.started()
    #expect(race.headStartElapsed(race: 1) == [.start(.second, race: 1)])
    #expect(race.headStartElapsed(race: 1) == [])
  }

  @Test func theSecondStartsAtOnceWhenTheFirstFails() {
    var race = Self.started()
    #expect(
      race.failed(.first, reason: "EPERM", race: 1) == [.cancelHeadStart(race: 1), .start(.second, race: 1)])
    #expect(race.headStartElapsed(race: 1) == [])
    let outcome = RaceOutcome(winner: .second, loser: .failed("EPERM"))
    #expect(race.connected(.second, race: 1) == [.use(outcome, race: 1)])
    #expect(outcome.description(first: "HTTP/3", second: "HTTP/1.1") == "HTTP/1.1 connected; HTTP/3 failed: EPERM")
  }

  @Test(arguments: RaceSide.allCases)
  func theSlowerIsClosed(winner: RaceSide) {
    var race = Self.started()
    _ = race.headStartElapsed(race: 1)
    let outcome = RaceOutcome(winner: winner, loser: .slower)
    #expect(race.connected(winner, race: 1) == [.close(winner.other, race: 1), .use(outcome, race: 1)])
    #expect(race.connected(winner.other, race: 1) == [.close(winner.other, race: 1)], "it crossed the close")
    #expect(race.connected(winner, race: 1) == [], "the winner is not closed by a repeated report")
    #expect(race.failed(winner.other, reason: "closed", race: 1) == [])
    #expect(race.outcome == outcome)
  }

  @Test func theFirstWinsThoughTheSecondFailed() {
    var race = Self.started()
    _ = race.headStartElapsed(race: 1)
    #expect(race.failed(.second, reason: "refused", race: 1) == [])
    #expect(race.failures == [RaceFailure(side: .second, reason: "refused")])
    let outcome = RaceOutcome(winner: .first, loser: .failed("refused"))
    #expect(race.connected(.first, race: 1) == [.use(outcome, race: 1)])
  }

  @Test(arguments: RaceSide.allCases)
  func bothReasonsAreKept(firstToFail: RaceSide) {
    var race = Self.started()
    _ = race.headStartElapsed(race: 1)
    #expect(race.failed(firstToFail, reason: firstToFail.rawValue, race: 1) == [])
    let failures = RaceSide.allCases.map { RaceFailure(side: $0, reason: $0.rawValue) }
    let other = firstToFail.other
    #expect(race.failed(other, reason: other.rawValue, race: 1) == [.fail(failures, race: 1)])
    #expect(race.failures == failures)
    #expect(race.outcome == nil)
    #expect(race.start().first == .start(.first, race: 2), "a new race may start")
  }

  @Test func aLostWinnerMakesRoomForANewRace() {
    var race = Self.started()
    _ = race.connected(.first, race: 1)
    race.connectionLost(.second, reason: "not in use", race: 1)
    #expect(race.outcome != nil)
    race.connectionLost(.first, reason: "idle", race: 1)
    #expect(race.outcome == nil)
    #expect(race.failures == [RaceFailure(side: .first, reason: "idle")])
    #expect(race.start() == [.start(.first, race: 2), .scheduleHeadStart(.milliseconds(250), race: 2)])
  }

  @Test func newsFromAnOlderRaceChangesNothing() {
    var race = Self.started()
    _ = race.cancel()
    _ = race.start()
    let before = race
    #expect(race.connected(.first, race: 1) == [.close(.first, race: 1)])
    #expect(race.failed(.first, reason: "late", race: 1) == [])
    #expect(race.headStartElapsed(race: 1) == [])
    race.connectionLost(.first, reason: "late", race: 1)
    #expect(race == before)
  }

  @Test func aRacerThatHasNotStartedCannotWin() {
    var race = Self.started()
    #expect(race.connected(.second, race: 1) == [.close(.second, race: 1)])
    #expect(race.failed(.second, reason: "?", race: 1) == [])
    #expect(race.isRacing)
  }

  @Test func cancellingClosesWhatRuns() {
    var race = TransportRace()
    #expect(race.cancel() == [])
    _ = race.start()
    #expect(race.cancel() == [.cancelHeadStart(race: 1), .close(.first, race: 1)])
    _ = race.start()
    _ = race.headStartElapsed(race: 2)
    #expect(race.cancel() == [.close(.first, race: 2), .close(.second, race: 2)])
    _ = race.start()
    _ = race.connected(.first, race: 3)
    #expect(race.cancel() == [.close(.first, race: 3)])
    #expect(race.cancel() == [])
  }
}
