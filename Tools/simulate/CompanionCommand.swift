import ArgumentParser
import CompanionSimulation

/// Runs the companion's approvals: codex, the companion and two devices as one program.
struct CompanionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "companion",
    abstract: "Runs the companion's approvals in virtual time: codex, the companion, and two devices.",
    discussion: """
      Codex asks, and waits for a while; the devices decide, both or none, soon or late, once or for longer. The companion \
      is killed at any step and started again, held up, or loses codex; codex is killed; devices are out of reach, and do not \
      learn the outcome of their decision. Fails where something ran that nobody allowed, a decision was lost or used twice, \
      the devices do not see the same log, or a required step or observation never occurred.
      """)

  @OptionGroup var schedules: ScheduleOptions

  func run() async throws {
    try await schedules.run(generate: Self.schedule, show: show, runAll: runAll)
  }

  private static func schedule(_ seed: UInt64) -> CompanionSchedule {
    var generator = CompanionScheduleGenerator(seed: seed)
    return generator.schedule()
  }

  private func show(_ schedule: CompanionSchedule) throws {
    let result = CompanionRun.run(schedule) { observation, now in print("\(now / 1_000_000) ms  \(observation)") }
    try ScheduleOptions.report(result.violations)
  }

  private func runAll() async throws {
    try await schedules.runAll("companion", CompanionReport()) { CompanionRun.run(Self.schedule($0)) }
  }
}
