import ArgumentParser
import Foundation
import SessionSimulation

/// Runs whole sessions: client, network, backends and database as one program.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Runs whole sessions in virtual time: a client, a network, one or two backends and their database.",
    discussion: """
      Events are lost, repeated, reordered and cut at any byte; client and backends are killed at any step, held up and \
      started again; clocks jump; tools are slow, fail or ignore that they are cancelled; the database is away, slow, or \
      does what is asked and loses the answer. After every step the session's invariants and the ledger's are judged. \
      Fails where one is broken, or something was never met that has to be; the first failing schedule is shortened and \
      printed.
      """)

  @OptionGroup var seeds: SeedOptions

  @Option(
    help: ArgumentHelp("Runs the schedule in this file, as JSON lines, and shows all that happens.", valueName: "file"))
  var schedule: String?

  @Flag(help: "Prints the schedule of --seed as JSON lines, and runs nothing.")
  var printSchedule = false

  @Flag(help: "With --seed: a short schedule of faults that can be done to real programs.")
  var forPrograms = false

  @Option(
    help: ArgumentHelp(
      "Judges the facts in this file, as JSON lines, which real programs have left.", valueName: "file"))
  var judge: String?

  @Flag(help: "Prints what was met, and how often.")
  var coverage = false

  @Flag(help: "Stops at the first seed that fails, and does not shorten its schedule.")
  var firstFailure = false

  func run() async throws {
    if let judge {
      try tell(ObservedFacts.judge(lines: String(contentsOfFile: judge, encoding: .utf8)))
    } else if let schedule {
      try show(SessionSchedule(lines: String(contentsOfFile: schedule, encoding: .utf8)))
    } else if let seed = seeds.seed {
      var generator = ScheduleGenerator(seed: seed)
      let schedule = forPrograms ? generator.scheduleForPrograms() : generator.schedule()
      if printSchedule { return print(try schedule.lines(), terminator: "") }
      try show(schedule)
    } else {
      try await runAll()
    }
  }

  private func show(_ schedule: SessionSchedule) throws {
    var log = SessionLogLines()
    try tell(SessionRun.run(schedule) { print(log.line($0, of: $1, at: $2)) }.violations)
  }

  private func tell(_ violations: [String]) throws {
    for violation in violations { print("violation: \(violation)") }
    if !violations.isEmpty { throw ExitCode.failure }
  }

  private func runAll() async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let report = try await seeds.runAll(
      "session", SessionReport(), isLast: { [firstFailure] in firstFailure && !$0.violations.isEmpty }
    ) { seed in
      var generator = ScheduleGenerator(seed: seed)
      let result = SessionRun.run(generator.schedule())
      for violation in result.violations { print("seed \(seed): \(violation)") }
      return result
    }
    print(report.summary(after: clock.now - began))
    if coverage { print(report.coverageTable) }
    if let failed = report.failures.min() {
      if !firstFailure { try shorten(failed) }
      print("\(report.failures.count) seeds failed; `simulate session --seed \(failed)` shows the first one.")
      throw ExitCode.failure
    }
    // Few seeds may lack a rare fault.
    guard seeds.seeds < SessionReport.seedsForCoverage || report.missing.isEmpty else {
      print("Never met: \(report.missing.joined(separator: ", ")).")
      throw ExitCode.failure
    }
  }

  private func shorten(_ seed: UInt64) throws {
    var generator = ScheduleGenerator(seed: seed)
    let shortened = ScheduleShortener.shorten(generator.schedule())
    print("\nThe schedule of seed \(seed), shortened:\n\(try shortened.lines())")
    for violation in SessionRun.run(shortened).violations { print("violation: \(violation)") }
  }
}
extension SessionReport: SeedReport {}
