package import SessionSimulation

/// Runs a companion's schedule and judges it.
package enum CompanionRun {
  /// - Parameter onNote: receives each observation, for a log.
  package static func run(
    _ schedule: CompanionSchedule, onNote: ((CompanionObservation, Moment) -> Void)? = nil
  ) -> CompanionResult {
    var checker = CompanionChecker()
    var counts: [String: Int] = [:]
    let world = CompanionWorld(schedule) { observation, now in
      onNote?(observation, now)
      counts[observation.name, default: 0] += 1
      checker.take(observation, at: now)
    }
    let unrest = world.run()
    checker.end(unrest: unrest)
    return CompanionResult(seed: schedule.setting.seed, violations: checker.violations, counts: counts)
  }
}

/// The outcome of one run.
package struct CompanionResult: Sendable {
  package let seed: UInt64
  /// Empty for a run in which everything held.
  package let violations: [String]
  /// The observations, by their kinds.
  package let counts: [String: Int]
}
