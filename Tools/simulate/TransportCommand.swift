import ArgumentParser
import HTTP3Engine
import LabPeers
import Processes

/// Runs many seeds of the HTTP/3 simulation, or shows one.
struct TransportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transport",
    abstract: "Runs client and server over bad links in virtual time, one scenario for each seed.",
    discussion: """
      Loss, reordering, duplication, corruption, small packets, rebinding, outages, migrations of the client, early data \
      of one that comes back, and restarts of the server. Fails where a body differs, a request has no outcome or arrives \
      twice, or something is left over; prints the seeds.
      """)

  @OptionGroup var seeds: SeedOptions

  @Flag(help: "Lets both sides repeat content, and the server send its bodies little by little.")
  var repeats = false

  func run() async throws {
    if let seed = seeds.seed {
      try show(seed)
    } else {
      try await runAll()
    }
  }

  private func show(_ seed: UInt64) throws {
    let scenario = SimulationScenario(seed: seed, hasRepeats: repeats)
    print(scenario)
    let result = try SimulationRun.run(scenario) { time, text in print("\(milliseconds(time)) ms  \(text)") }
    for violation in result.violations { print("violation: \(violation)") }
    for error in result.errors { print("error: \(error.code): \(error)") }
    if result.requestsOfMiscounts > 0 {
      print("\(result.requestsOfMiscounts) requests ended because the server's library counted a connection id twice")
    }
    if !result.violations.isEmpty { throw ExitCode.failure }
  }

  private func runAll() async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let report = try await seeds.runAll("transport", SimulationReport()) { [repeats] seed in
      let result = try SimulationRun.run(SimulationScenario(seed: seed, hasRepeats: repeats))
      for violation in result.violations { print("seed \(seed): \(violation)") }
      return result
    }
    print(report)
    print(
      "\(milliseconds(clock.now - began)) ms on \(seeds.jobs) threads, \(ResourceUsage.own.peakMemory >> 20) MiB of memory at most"
    )
    if let failed = report.failures.map(\.seed).min() {
      let options = repeats ? "--repeats --seed" : "--seed"
      print("\(report.failures.count) seeds failed; `simulate transport \(options) \(failed)` shows the first one.")
      throw ExitCode.failure
    }
    // Few seeds may lack a rare fault.
    guard report.hasFewErrors, report.hasFewMiscounts, seeds.seeds < 500 || report.missing.isEmpty && report.hasAllSteps
    else {
      print("Too many seeds ended with an error, or a fault never happened.")
      throw ExitCode.failure
    }
  }

  private func milliseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds) * 1_000 + Int(duration.components.attoseconds / 1_000_000_000_000_000)
  }
}

extension SimulationReport: SeedReport {}
