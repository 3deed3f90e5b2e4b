import ArgumentParser

/// The seeds to run, and the number of threads.
struct SeedOptions: ParsableArguments {
  @Option(help: "How many seeds to run.")
  var seeds: UInt64 = 10_000

  @Option(help: "The first seed.")
  var first: UInt64 = 1

  @Option(help: "Threads to run them on.")
  var jobs = 2

  @Option(help: "Shows the run of one seed, and runs no other.")
  var seed: UInt64?

  func validate() throws {
    guard seeds > 0, !first.addingReportingOverflow(seeds).overflow else { throw ValidationError("No such seeds.") }
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs is a number from 1 to 64.") }
  }

  /// Runs each seed; returns what all of them gave together.
  ///
  /// - Parameters:
  ///   - command: the subcommand that shows one seed, for the word that a crash leaves.
  ///   - isLast: whether no more seeds are begun after this outcome.
  func runAll<Report: SeedReport>(
    _ command: StaticString, _ empty: Report, isLast: @escaping @Sendable (Report.Outcome) -> Bool = { _ in false },
    _ body: @escaping @Sendable (UInt64) throws -> Report.Outcome
  ) async throws -> Report {
    let progress = SeedProgress(seeds: first..<first + seeds, report: empty)
    SeedCrashes.watch(jobs: jobs, command: command)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for job in 0..<jobs {
        group.addTask {
          while let seed = progress.next() {
            SeedCrashes.begins(seed, job: job)
            let outcome = try body(seed)
            if isLast(outcome) { progress.stop() }
            progress.add(outcome)
          }
          SeedCrashes.begins(0, job: job)
        }
      }
      try await group.waitForAll()
    }
    return progress.report
  }
}
