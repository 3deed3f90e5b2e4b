/// Runs a schedule and judges it.
package enum SessionRun {
  /// - Parameter onNote: receives each observation, for a log.
  package static func run(
    _ schedule: SessionSchedule, onNote: ((Observation, Moment) -> Void)? = nil
  ) -> SessionResult {
    var checker = SessionChecker()
    var coverage = SessionCoverage(schedule)
    let world = SessionWorld(schedule) { observation, now in
      onNote?(observation, now)
      coverage.count(observation)
      checker.take(observation, at: now)
    }
    let unrest = world.run()
    checker.end(unrest: unrest)
    return SessionResult(seed: schedule.setting.seed, violations: checker.violations, coverage: coverage)
  }
}

/// The outcome of one run.
package struct SessionResult: Sendable {
  package let seed: UInt64
  /// Empty for a run in which everything held.
  package let violations: [String]
  package let coverage: SessionCoverage
}
