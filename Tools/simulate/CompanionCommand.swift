import ArgumentParser
import CompanionSimulation
import Foundation

/// Runs the companion's approvals: codex, the companion and two devices as one program.
struct CompanionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "companion",
    abstract: "Runs the companion's approvals in virtual time: codex, the companion, and two devices.",
    discussion: """
      Codex asks, and waits for a while; the devices decide, both or none, soon or late, once or for longer. The companion \
      is killed at any step and started again, held up, or loses codex; codex is killed; devices are out of reach, and do not \
      hear what became of their decision. Fails where something ran that nobody allowed, a decision was lost or used twice, \
      the devices do not see the same log, or something was never met that has to be.
      """)

  @OptionGroup var seeds: SeedOptions

  @Option(
    help: ArgumentHelp("Runs the schedule in this file, as JSON lines, and shows all that happens.", valueName: "file"))
  var schedule: String?

  @Flag(help: "Prints the schedule of --seed as JSON lines, and runs nothing.")
  var printSchedule = false

  @Flag(help: "Prints what was met, and how often.")
  var coverage = false

  func run() async throws {
    if let schedule {
      try show(CompanionSchedule(lines: String(contentsOfFile: schedule, encoding: .utf8)))
    } else if let seed = seeds.seed {
      var generator = CompanionScheduleGenerator(seed: seed)
      let schedule = generator.schedule()
      if printSchedule { return print(try schedule.lines(), terminator: "") }
      try show(schedule)
    } else {
      try await runAll()
    }
  }

  private func show(_ schedule: CompanionSchedule) throws {
    let result = CompanionRun.run(schedule) { observation, now in print("\(now / 1_000_000) ms  \(observation)") }
    for violation in result.violations { print("violation: \(violation)") }
    if !result.violations.isEmpty { throw ExitCode.failure }
  }

  private func runAll() async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let report = try await seeds.runAll("companion", CompanionReport()) { seed in
      var generator = CompanionScheduleGenerator(seed: seed)
      let result = CompanionRun.run(generator.schedule())
      for violation in result.violations { print("seed \(seed): \(violation)") }
      return result
    }
    print(report.summary(after: clock.now - began))
    if coverage { print(report.coverageTable) }
    if let failed = report.failures.min() {
      print("\(report.failures.count) seeds failed; `simulate companion --seed \(failed)` shows the first one.")
      throw ExitCode.failure
    }
    // Few seeds may lack a rare fault.
    guard seeds.seeds < CompanionReport.seedsForCoverage || report.missing.isEmpty else {
      print("Never met: \(report.missing.joined(separator: ", ")).")
      throw ExitCode.failure
    }
  }
}

extension CompanionReport: SeedReport {}
