import Logging
import Synchronization
import TransportPolicy

/// The end of the racers that lost.
extension RacingTransport {
  /// Ends a loser in the background; a later race waits for that before it starts the same side. What still runs on
  /// the side's connections, an older one that the server is leaving among them, continues.
  ///
  /// - Parameters:
  ///   - race: the loser's race: `run`'s own, or the one before whose first still continues.
  ///   - run: the race that is being run.
  func close(_ side: RaceSide, of race: Int, _ run: RaceRun) {
    let transport = transport(side)
    state.withLock { state in
      let loser = state.loser(of: race, run)
      loser?.cancelPatience()
      let attempt = loser?.attempts[side]
      attempt?.cancel()
      state.close(side, of: run) {
        Task {
          await attempt?.value
          await transport.retireConnection()
        }
      }
    }
  }

  /// The first continues though the second has won: only its end shows whether UDP carries nothing.
  func letFinish(_ run: inout RaceRun) {
    run.schedulePatience(patience)
    let run = run
    state.withLock { $0.letFinish(run) }
    Task { await finish(run) }
  }

  private func finish(_ run: RaceRun) async {
    for await item in run.news {
      let result: Result<ConnectionInfo, TransportError>
      switch item {
      case .headStartElapsed, .ended(.second, _, _): continue
      case .ended(.first, let ended, _):
        result = ended
        run.cancelPatience()
      case .patienceElapsed:
        let isLookingUp = first.isLookingUp
        result = .failure(
          TransportError(
            .connectTimeout,
            "No answer \(isLookingUp ? "of a name server" : "over UDP") within "
              + "\(run.elapsed(.first).components.seconds) s.",
            cause: isLookingUp ? NameResolver.Failure() : nil))
      }
      for action in settle(result, run) {
        switch action {
        case .close(let side, let race): close(side, of: race, run)
        case .revise(let outcome, let race): revise(outcome, race)
        case .start, .scheduleHeadStart, .cancelHeadStart, .letFinish, .use, .fail: break
        }
      }
      return state.withLock { $0.didFinish(run) }
    }
  }

  private func settle(_ result: Result<ConnectionInfo, TransportError>, _ run: RaceRun) -> [TransportRace.Action] {
    switch result {
    case .success(let info):
      learn(connected: info, run)
      return state.withLock { $0.connected(.first, race: run.number) }
    case .failure(let error):
      learn(failed: error, run)
      let actions = state.withLock { $0.failed(.first, error, race: run.number) }
      // The attempt may continue where its time was over; and a failed one is closed without harm.
      return actions + [.close(.first, race: run.number)]
    }
  }

  private func revise(_ outcome: RaceOutcome, _ race: Int) {
    let reason = state.withLock { $0.revise(outcome, race: race) }
    if let reason { logger.info("the other transport has ended", metadata: ["reason": "\(reason)"]) }
  }
}
