import ArgumentParser
import Foundation
import LatencyReport
import LinkEmulator

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Shows the same answer over two protocols, side by side as it arrives.",
    discussion: """
      Each column is a client of its own over a link of its own; the links have the same conditions and the same seed. \
      A word that comes over 50 ms later than schedule and link explain is shown in reverse video. There is one stream for \
      20 s unless the options say otherwise; of several, the first is shown. Where standard output is no terminal, only \
      the summary is printed.

      One run of each arm is an illustration; 'latency-lab run' measures.
      """)

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option(help: ArgumentHelp("Arms to show, at most \(mostColumns), of our own clients.", valueName: "names"))
  var arms = "h2,h3-hedge"

  @Option(help: ArgumentHelp("The seed of schedule and link.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("As in 'latency-lab run'.", valueName: "server"))
  var server = "ours"

  private static let mostColumns = 3
  private static let usualSeconds = 20.0

  func run() async throws {
    var options = scenarioOptions
    options.streams = options.streams ?? 1
    options.duration = options.duration ?? Self.usualSeconds
    let scenario = try options.resolved()
    guard scenario.workload.downloadBytes == nil else {
      throw LabError(.usage, "\(scenario.name) is a download, which has no text to watch; choose a scenario of events.")
    }
    let list = try chosenArms()
    let choice = try ServerChoice(server)
    try choice.check(for: scenario.link)
    try Privileges.ensure()
    let (_, absent) = await Availability.arms(list)
    guard absent.isEmpty else { throw LabError(.unavailable, absent.joined(separator: " ")) }
    let runs = WatchedRuns(
      scenario: scenario, arms: list, seed: seed, server: choice, isShown: isatty(STDOUT_FILENO) == 1)
    let records: [RunRecord]
    do {
      records = try await Interruption.watch(ending: "ending the runs") { try await runs.perform() }
    } catch is CancellationError {
      throw ExitCode(LabError.Code.interrupted.rawValue)
    }
    print(Self.summary(records, of: list, scenario))
  }

  private func chosenArms() throws(LabError) -> [Arm] {
    let list = try Arm.list(arms)
    guard list.count <= Self.mostColumns else {
      throw LabError(.usage, "--arms names \(list.count) arms; watch shows \(Self.mostColumns) at most.")
    }
    if let foreign = list.first(where: \.isControl) {
      throw LabError(.usage, "The arm \(foreign.name) reports only at its end; watch shows our own clients alone.")
    }
    return list
  }

  /// The figures of the runs, in milliseconds beyond schedule and link.
  private static func summary(_ records: [RunRecord], of arms: [Arm], _ scenario: Scenario) -> String {
    let width = max(12, arms.map(\.label.count).max() ?? 0)
    var lines = [padded("ms late", width) + "     p50     p95     p99   worst   over 50 ms"]
    for (arm, record) in zip(arms, records) {
      let metrics = RunMeasurement(record, scenario: scenario.summary).metrics
      let columns = [Metric.excessP50, .excessP95, .excessP99, .excessMax].map { metric in
        metrics.values[metric].map { String(format: "%8.1f", $0) } ?? "       –"
      }
      let late = metrics.values[.late50].map { String(format: "%10.1f %%", $0) } ?? "           –"
      lines.append(padded(arm.label, width) + columns.joined() + " " + late)
      if let failure = record.client.failure { lines.append("  \(arm.name): \(failure)") }
    }
    lines.append("One run of each arm, an illustration; 'Tools/lab run \(scenario.name)' measures.")
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text.padding(toLength: width, withPad: " ", startingAt: 0)
  }
}
