/// Runs a schedule and judges it.
package enum SessionRun {
  /// - Parameter onNote: receives each observation with its session, nil for all of them, for a log.
  package static func run(
    _ schedule: SessionSchedule, onNote: ((Observation, String?, Moment) -> Void)? = nil
  ) -> SessionResult {
    let sessions = (0..<schedule.setting.clientCount).map { SessionWorld.session($0) }
    // Each session has a judge of its own, which hears nothing of the others.
    var checkers = sessions.map { _ in SessionChecker() }
    var coverage = SessionCoverage(schedule)
    let world = SessionWorld(schedule) { observation, session, now in
      onNote?(observation, session, now)
      coverage.count(observation, of: session)
      for index in checkers.indices where session == nil || session == sessions[index] {
        checkers[index].take(observation, at: now)
      }
    }
    let unrest = world.run()
    var violations: [String] = []
    for index in checkers.indices {
      checkers[index].end(unrest: unrest)
      violations += checkers[index].violations.map { index > 0 ? "\(sessions[index]): \($0)" : $0 }
    }
    if sessions.count > 1 { coverage.countWorldOfSessions() }
    return SessionResult(seed: schedule.setting.seed, violations: violations, coverage: coverage)
  }
}

/// The outcome of one run.
package struct SessionResult: Sendable {
  package let seed: UInt64
  /// Empty for a run in which everything held.
  package let violations: [String]
  package let coverage: SessionCoverage
}
