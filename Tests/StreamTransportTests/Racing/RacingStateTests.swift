import TestSupport
import Testing
import TransportPolicy

@testable import StreamTransport

/// A race's state, without transports and tasks.
@Suite struct RacingStateTests {
  private static let info = ConnectionInfo(
    transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .milliseconds(23))

  /// A state in which `side` has won its first race.
  private func won(by side: RaceSide) -> (RacingState, RacingState.Winner) {
    var state = RacingState()
    let (_, number) = state.start(.standard)
    if side == .second { _ = state.failed(.first, TransportError(.connectTimeout, "Silence."), race: number) }
    _ = state.connected(side, race: number)
    let winner = RacingState.Winner(side: side, info: Self.info, race: number, network: "home", service: nil)
    _ = state.settle(on: winner)
    return (state, winner)
  }

  private func isTooEarly(_ chance: RacingState.ReturnChance) -> Bool {
    if case .tooEarly = chance { true } else { false }
  }

  private func isNone(_ chance: RacingState.ReturnChance) -> Bool {
    if case .none = chance { true } else { false }
  }

  @Test func newsOfAnOlderWinnerChangesNothing() {
    let (won, winner) = self.won(by: .first)
    var state = won
    let older = RacingState.Winner(side: .first, info: Self.info, race: 0, network: "home", service: nil)
    state.lose(older, reason: "It ended long ago.")
    #expect(state.winner?.race == winner.race)
    state.lose(winner, reason: "It ended.")
    #expect(state.winner == nil)
  }

  @Test func oneSearchAtATimeFollowsASilentPath() {
    let (won, _) = self.won(by: .first)
    var state = won
    let begins = state.firstsPath(.suspect)
    #expect(begins && state.winner == nil)
    let beginsAgain = state.firstsPath(.suspect)
    #expect(!beginsAgain)
    let goesOn = state.didSearch(found: false)
    #expect(goesOn, "The path is still silent.")
    let beginsAtTheEnd = state.firstsPath(.gone)
    #expect(!beginsAtTheEnd)
    let stillGoesOn = state.didSearch(found: false)
    #expect(!stillGoesOn, "The silent connection is gone.")
  }

  @Test func aSilentPathIsNoMatterWhereTheSecondIsInUse() {
    let (won, winner) = self.won(by: .second)
    var state = won
    let begins = state.firstsPath(.suspect)
    #expect(!begins)
    #expect(state.winner?.race == winner.race)
  }

  @Test func whoHopesForTheFirstIsAnsweredWhenItTakesOver() throws {
    let (won, winner) = self.won(by: .second)
    var state = won
    let waiter = OneShot<Void>()
    let waits = state.awaitImprovement(waiter)
    #expect(waits)
    let replacement = state.replace(winner, by: Self.info, on: "home", at: nil)
    let new = try #require(replacement)
    #expect(new.side == .first && new.race != winner.race)
    #expect(new.info.reason == "HTTP/3 connected after 23 ms, in place of HTTP/1.1")
    let answered = state.settle(on: new)
    #expect(answered.count == 1 && answered[0] === waiter)
    let waitsAgain = state.awaitImprovement(OneShot<Void>())
    #expect(!waitsAgain, "It is in use already.")
    let again = state.replace(winner, by: Self.info, on: "home", at: nil)
    #expect(again == nil, "The second is in use no more.")
  }

  @Test func theFirstIsNotTriedAgainWhileTheRacesOwnAttemptRuns() {
    let (won, winner) = self.won(by: .second)
    var state = won
    let run = RaceRun(number: winner.race, network: "home", service: nil, clock: TransportClock(ManualClock()))
    state.letFinish(run)
    #expect(isTooEarly(state.returnChance(from: winner)))
    state.didFinish(run)
    #expect(!isTooEarly(state.returnChance(from: winner)) && !isNone(state.returnChance(from: winner)))
    state.lose(winner, reason: "It ended.")
    #expect(isNone(state.returnChance(from: winner)))
  }
}
