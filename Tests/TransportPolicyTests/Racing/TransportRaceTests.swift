import Testing
import TransportPolicy

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
  }

  @Test(arguments: [
    (RaceOutcome(winner: .first, loser: .notStarted), "HTTP/3 connected after 9 ms"),
    (RaceOutcome(winner: .first, loser: .slower), "HTTP/3 connected after 9 ms, before HTTP/1.1"),
    (RaceOutcome(winner: .first, loser: .replaced), "HTTP/3 connected after 9 ms, in place of HTTP/1.1"),
    (RaceOutcome(winner: .second, loser: .slower), "HTTP/1.1 connected after 9 ms, before HTTP/3"),
    (RaceOutcome(winner: .second, loser: .failed("No way.")), "HTTP/3 failed: No way. HTTP/1.1 connected after 9 ms"),
    (
      RaceOutcome(winner: .second, loser: .notTried("A proxy.")),
      "HTTP/3 was not tried: A proxy. HTTP/1.1 connected after 9 ms"
    ),
  ])
  func anOutcomeIsPutInWords(outcome: RaceOutcome, words: String) {
    #expect(outcome.description(first: "HTTP/3", second: "HTTP/1.1", detail: " after 9 ms") == words)
  }

  @Test func aSlowerSecondIsClosed() {
    var race = Self.started()
    _ = race.headStartElapsed(race: 1)
    let outcome = RaceOutcome(winner: .first, loser: .slower)
    #expect(race.connected(.first, race: 1) == [.close(.second, race: 1), .use(outcome, race: 1)])
    #expect(race.connected(.second, race: 1) == [.close(.second, race: 1)], "it crossed the close")
    #expect(race.connected(.first, race: 1) == [], "the winner is not closed by a repeated report")
    #expect(race.failed(.second, reason: "closed", race: 1) == [])
    #expect(race.outcome == outcome)
  }

  // MARK: A first that loses continues

  /// A race that the second has won while the first is still connecting.
  private static func wonBySecond() -> TransportRace {
    var race = started()
    _ = race.headStartElapsed(race: 1)
    let outcome = RaceOutcome(winner: .second, loser: .slower)
    #expect(race.connected(.second, race: 1) == [.letFinish(.first, race: 1), .use(outcome, race: 1)])
    return race
  }

  @Test func aSlowerFirstThatConnectsLateIsClosedThen() {
    var race = Self.wonBySecond()
    #expect(race.connected(.first, race: 1) == [.close(.first, race: 1)])
    #expect(race.outcome == RaceOutcome(winner: .second, loser: .slower))
    #expect(race.failed(.first, reason: "closed", race: 1) == [], "it is over for the first")
    #expect(race.cancel() == [.close(.second, race: 1)])
  }

  @Test func whyASlowerFirstFailedIsReportedLate() {
    var race = Self.wonBySecond()
    let outcome = RaceOutcome(winner: .second, loser: .failed("silence"))
    #expect(race.failed(.first, reason: "silence", race: 1) == [.revise(outcome, race: 1)])
    #expect(race.outcome == outcome)
    #expect(race.failed(.first, reason: "again", race: 1) == [])
  }

  @Test func aNewRaceClosesAFirstThatStillContinues() {
    var race = Self.wonBySecond()
    race.connectionLost(.second, reason: "cut", race: 1)
    #expect(
      race.start()
        == [.close(.first, race: 1), .start(.first, race: 2), .scheduleHeadStart(.milliseconds(250), race: 2)])
    #expect(race.failed(.first, reason: "late", race: 1) == [])
    #expect(race.isRacing)
  }

  @Test func aFirstMayFailAfterItsWinnerIsLost() {
    var race = Self.wonBySecond()
    race.connectionLost(.second, reason: "cut", race: 1)
    #expect(race.failed(.first, reason: "silence", race: 1) == [])
    #expect(race.failures == [RaceFailure(side: .second, reason: "cut")])
    #expect(race.start().first == .start(.first, race: 2))
  }

  @Test func cancellingClosesAFirstThatStillContinues() {
    var race = Self.wonBySecond()
    #expect(race.cancel() == [.close(.first, race: 1), .close(.second, race: 1)])
  }

  // MARK: Plans

  @Test func theHeadStartIsThePlans() {
    var race = TransportRace()
    #expect(
      race.start(.headStart(.milliseconds(130)))
        == [.start(.first, race: 1), .scheduleHeadStart(.milliseconds(130), race: 1)])
  }

  @Test(arguments: [Duration.zero, .milliseconds(-1)])
  func withoutAHeadStartBothStart(duration: Duration) {
    var race = TransportRace()
    #expect(race.start(.headStart(duration)) == [.start(.first, race: 1), .start(.second, race: 1)])
    #expect(race.headStartElapsed(race: 1) == [])
    #expect(race.connected(.first, race: 1).first == .close(.second, race: 1))
  }

  @Test func aFirstThatIsHeldBackStartsWhenTheSecondFails() {
    var race = TransportRace()
    #expect(race.start(.firstHeldBack(reason: "UDP failed.")) == [.start(.second, race: 1)])
    #expect(race.connected(.first, race: 1) == [.close(.first, race: 1)], "it has not started")
    #expect(race.failed(.second, reason: "refused", race: 1) == [.start(.first, race: 1)])
    let outcome = RaceOutcome(winner: .first, loser: .failed("refused"))
    #expect(race.connected(.first, race: 1) == [.use(outcome, race: 1)])
  }

  @Test func aFirstThatWasHeldBackFailsLikeAnyOther() {
    var race = TransportRace()
    _ = race.start(.firstHeldBack(reason: "UDP failed."))
    _ = race.failed(.second, reason: "refused", race: 1)
    let failures = [RaceFailure(side: .first, reason: "silence"), RaceFailure(side: .second, reason: "refused")]
    #expect(race.failed(.first, reason: "silence", race: 1) == [.fail(failures, race: 1)])
  }

  @Test(arguments: [RacePlan.firstHeldBack(reason: "UDP failed."), .firstLeftOut(reason: "UDP failed.")])
  func whyTheFirstWasNotTriedIsKept(plan: RacePlan) {
    var race = TransportRace()
    #expect(race.start(plan) == [.start(.second, race: 1)])
    let outcome = RaceOutcome(winner: .second, loser: .notTried("UDP failed."))
    #expect(race.connected(.second, race: 1) == [.use(outcome, race: 1)])
  }

  @Test func aFirstThatIsLeftOutStaysOut() {
    var race = TransportRace()
    _ = race.start(.firstLeftOut(reason: "A proxy."))
    let failures = [
      RaceFailure(side: .first, reason: "not tried, A proxy."), RaceFailure(side: .second, reason: "refused"),
    ]
    #expect(race.failed(.second, reason: "refused", race: 1) == [.fail(failures, race: 1)])
    #expect(race.start(.firstLeftOut(reason: "A proxy.")) == [.start(.second, race: 2)])
    #expect(race.cancel() == [.close(.second, race: 2)])
  }

  // MARK: Ends

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
