import ArgumentParser
import CompanionSimulation
import Foundation
import SessionSimulation

/// The schedules of a simulation to run: many seeds' or one, which is shown.
struct ScheduleOptions: ParsableArguments {
  @OptionGroup var seeds: SeedOptions

  @Option(
    help: ArgumentHelp("Runs the schedule in this file, as JSON lines, and shows all that happens.", valueName: "file"))
  var schedule: String?

  @Flag(help: "Prints the schedule of --seed as JSON lines, and runs nothing.")
  var printSchedule = false

  @Flag(help: "Prints the steps and observations, and how often each occurred.")
  var coverage = false

  /// Shows the one schedule that the options name, or prints it; runs all seeds where they name none.
  func run<Schedule: SimulatedSchedule>(
    generate: (UInt64) -> Schedule, show: (Schedule) throws -> Void, runAll: () async throws -> Void
  ) async throws {
    if let schedule {
      try show(Schedule(lines: String(contentsOfFile: schedule, encoding: .utf8)))
    } else if let seed = seeds.seed {
      let schedule = generate(seed)
      if printSchedule { return print(try schedule.lines(), terminator: "") }
      try show(schedule)
    } else {
      try await runAll()
    }
  }

  /// Runs every seed and prints the sum. Throws where one fails, or where enough seeds have not covered everything
  /// required.
  ///
  /// - Parameters:
  ///   - command: the subcommand that shows one seed.
  ///   - isLast: whether no more seeds are begun after this outcome.
  ///   - explain: is called with the first seed that failed.
  func runAll<Report: CoverageReport>(
    _ command: StaticString, _ empty: Report, isLast: @escaping @Sendable (Report.Outcome) -> Bool = { _ in false },
    explain: (UInt64) throws -> Void = { _ in }, _ body: @escaping @Sendable (UInt64) -> Report.Outcome
  ) async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let report = try await seeds.runAll(command, empty, isLast: isLast) { seed in
      let result = body(seed)
      for violation in result.violations { print("seed \(seed): \(violation)") }
      return result
    }
    print(report.summary(after: clock.now - began))
    if coverage { print(report.coverageTable) }
    if let failed = report.failures.min() {
      try explain(failed)
      print("\(report.failures.count) seeds failed; `simulate \(command) --seed \(failed)` shows the first one.")
      throw ExitCode.failure
    }
    // Few seeds may lack a rare fault.
    guard seeds.seeds < Report.seedsForCoverage || report.missing.isEmpty else {
      print("Never occurred: \(report.missing.joined(separator: ", ")).")
      throw ExitCode.failure
    }
  }

  /// Prints the violations of one run, and fails where there is any.
  static func report(_ violations: [String]) throws {
    for violation in violations { print("violation: \(violation)") }
    if !violations.isEmpty { throw ExitCode.failure }
  }
}

/// A schedule that a file can hold.
protocol SimulatedSchedule {
  init(lines: String) throws
  func lines() throws -> String
}

extension SessionSchedule: SimulatedSchedule {}
extension CompanionSchedule: SimulatedSchedule {}

/// The outcome of one seed.
protocol SimulatedOutcome {
  var violations: [String] { get }
}

extension SessionResult: SimulatedOutcome {}
extension CompanionResult: SimulatedOutcome {}

/// The sum of many seeds, with the steps and observations that occurred.
protocol CoverageReport: SeedReport where Outcome: SimulatedOutcome {
  /// The number of seeds that have to cover everything required.
  static var seedsForCoverage: UInt64 { get }
  var failures: [UInt64] { get }
  var missing: [String] { get }
  var coverageTable: String { get }
  func summary(after time: Duration) -> String
}

extension SessionReport: CoverageReport {}
extension CompanionReport: CoverageReport {}
