import Synchronization
import TransportPolicy

// One race, from its start to its winner.
extension RacingTransport {
  /// Runs one race to its end; cancelling the task gives up both racers.
  func race() async throws -> RacingState.Winner {
    let network = network()
    let (plan, service) = plan(on: network)
    first.steer(to: service)
    let (start, number) = state.withLock { $0.start(plan) }
    var actions = start
    // Nothing to do: the first has taken the second's place meanwhile.
    if actions.isEmpty {
      guard let winner = state.withLock({ $0.winner }) else { throw TransportError.closedByCaller() }
      return winner
    }
    var run = RaceRun(number: number, network: network, service: service, clock: clock)
    var news = run.news.makeAsyncIterator()
    while true {
      for action in actions {
        switch action {
        case .start(let side, let race):
          let closing = state.withLock { $0.closing(side) }
          run.start(side, transport(side), after: closing, race: race)
        case .scheduleHeadStart(let headStart, let race): run.scheduleHeadStart(headStart, race: race)
        case .cancelHeadStart: run.cancelHeadStart()
        case .letFinish: letFinish(&run)
        case .close(let side, let race): close(side, of: race, run)
        case .use(let outcome, _): return try use(outcome, run)
        case .revise: break
        case .fail(let failures, _):
          metrics.raceLost()
          throw TransportError(racing: failures, failures.compactMap { run.errors[$0.side] }, to: origin)
        }
      }
      guard let item = await news.next(), !Task.isCancelled else {
        let closing = state.withLock { $0.abandon(race: number) }
        for case .close(let side, let race) in closing { close(side, of: race, run) }
        run.cancelHeadStart()
        throw CancellationError()
      }
      actions = take(item, &run)
    }
  }

  /// Passes to the rules what a racer has reported.
  private func take(_ item: RaceRun.News, _ run: inout RaceRun) -> [TransportRace.Action] {
    switch item {
    case .headStartElapsed(let race): return state.withLock { $0.headStartElapsed(race: race) }
    case .patienceElapsed: return []
    case .ended(let side, let result, let race):
      run.record(side, result)
      switch result {
      case .success(let info):
        if side == .first { learn(connected: info, run) }
        return state.withLock { $0.connected(side, race: race) }
      case .failure(let error):
        return state.withLock { $0.failed(side, error, race: race) }
      }
    }
  }

  private func use(_ outcome: RaceOutcome, _ run: RaceRun) throws(TransportError) -> RacingState.Winner {
    guard var info = run.connected[outcome.winner] else { throw .closedByCaller() }
    if outcome.winner == .second, let error = run.errors[.first] { learn(failed: error, run) }
    info.reason = outcome.description(handshake: info.handshake)
    metrics.raceWon(by: info.transport)
    let winner = RacingState.Winner(
      side: outcome.winner, info: info, race: run.number, network: run.network, service: run.service)
    settle(on: winner)
    return winner
  }

  func learn(connected info: ConnectionInfo, _ run: RaceRun) {
    knowledge.learn(connected: info, after: run.elapsed(.first), at: run.service, on: run.network)
  }

  /// Called when TCP is connected.
  func learn(failed error: TransportError, _ run: RaceRun) {
    knowledge.learn(failed: error, at: run.service, on: run.network)
  }
}
