import ArgumentParser
import HTTP3Engine
import TestSupport

/// Runs many seeds of the simulation, or shows one.
@main
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Runs client and server over bad links in virtual time, one scenario for each seed.",
    discussion: """
      Loss, reordering, duplication, corruption, small packets, rebinding, outages, migrations of the client, early data \
      of one that comes back, and restarts of the server. Fails where a body differs, a request has no outcome or arrives \
      twice, or something is left over; prints the seeds.
      """)

  @Option(help: "How many seeds to run.")
  var seeds: UInt64 = 10_000

  @Option(help: "The first seed.")
  var first: UInt64 = 1

  @Option(help: "Threads to run them on.")
  var jobs = 2

  @Option(help: "Shows all that happens with one seed, and runs no other.")
  var seed: UInt64?

  func validate() throws {
    guard seeds > 0, !first.addingReportingOverflow(seeds).overflow else { throw ValidationError("No such seeds.") }
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs is a number from 1 to 64.") }
  }

  func run() async throws {
    if let seed {
      try show(seed)
    } else {
      try await runAll()
    }
  }

  private func show(_ seed: UInt64) throws {
    let scenario = SimulationScenario(seed: seed)
    print(scenario)
    let result = try SimulationRun.run(scenario) { time, text in print("\(milliseconds(time)) ms  \(text)") }
    for violation in result.violations { print("violation: \(violation)") }
    for error in result.errors { print("error: \(error.code): \(error)") }
    if !result.violations.isEmpty { throw ExitCode.failure }
  }

  private func runAll() async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let progress = SeedProgress(seeds: first..<first + seeds, jobs: jobs)
    progress.reportCrashes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for job in 0..<jobs {
        group.addTask {
          while let seed = progress.next(for: job) {
            let result = try SimulationRun.run(SimulationScenario(seed: seed))
            for violation in result.violations { print("seed \(seed): \(violation)") }
            progress.add(result)
          }
        }
      }
      try await group.waitForAll()
    }
    let report = progress.report
    print(report)
    print(
      "\(milliseconds(clock.now - began)) ms on \(jobs) threads, \(PeakMemory.kibibytes / 1_024) MiB of memory at most")
    if let failed = report.failures.map(\.seed).min() {
      print("\(report.failures.count) seeds failed; `simulate --seed \(failed)` shows the first one.")
      throw ExitCode.failure
    }
    // Few seeds may lack a rare fault.
    guard report.hasFewErrors, seeds < 500 || report.missing.isEmpty && report.hasAllSteps else {
      print("Too many seeds ended with an error, or a fault never happened.")
      throw ExitCode.failure
    }
  }

  private func milliseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds) * 1_000 + Int(duration.components.attoseconds / 1_000_000_000_000_000)
  }
}
