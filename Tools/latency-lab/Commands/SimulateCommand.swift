import ArgumentParser
import Foundation
import LatencyReport
import LinkModel

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Runs HTTP/3 in virtual time over the same link, thousands of runs in minutes.",
    discussion: """
      HTTP/3 alone: HTTP/1.1 and HTTP/2 need the kernel's TCP, which has no virtual time. Neither root nor a TUN device \
      is needed, and the same seed gives the same packets on every machine.
      """)

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option(help: ArgumentHelp("Arms, of \(SimulatedArm.all.map(\.name).joined(separator: ", ")).", valueName: "names"))
  var arms = "h3"

  @Option(help: ArgumentHelp("Runs of each arm.", valueName: "count"))
  var repetitions = 200

  @Option(help: ArgumentHelp("The seed of all random numbers.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "A limit for a metric's median, such as excessP99<150ms; missed: exit code 10.", valueName: "budget"))
  var budget: [String] = []

  @Flag(help: "Write events.csv too, a line for each event of every run.")
  var events = false

  @Option(help: ArgumentHelp("Output folder; lab-results/simulated-NAME-TIME if not given.", valueName: "folder"))
  var out: String?

  func validate() throws {
    guard (1...100_000).contains(repetitions) else { throw ValidationError("--repetitions takes 1 to 100000.") }
    do {
      _ = try Simulator.arms(arms)
      _ = try ExperimentOptions.parsed(budgets: budget)
    } catch let error as SimulationError {
      throw ValidationError(error.description)
    } catch let error as LabError {
      throw ValidationError(error.message)
    }
  }

  func run() async throws {
    let scenario = try scenarioOptions.resolved()
    let budgets = try ExperimentOptions.parsed(budgets: budget)
    for budget in budgets {
      do {
        try budget.check(arms: try Simulator.arms(arms).map(\.name))
      } catch {
        throw LabError(.usage, "--budget: \(error).")
      }
    }
    let folder = ExperimentOptions.folder(out, for: "simulated-\(scenario.name)")
    try OutputFolder(folder).requireUnused()
    let simulator = try Simulator(scenario, arms: try Simulator.arms(arms), seed: seed)
    let (results, wasInterrupted) = try await Interruption.watch {
      try await simulate(simulator, budgets, into: folder)
    }
    print(TextSummary(results).text)
    print("Report: \(folder.appendingPathComponent("report.html").path)")
    if wasInterrupted { throw ExitCode(LabError.Code.interrupted.rawValue) }
    if results.budgets.contains(where: { !$0.isKept }) { throw ExitCode(LabError.Code.budgetMissed.rawValue) }
  }

  private func simulate(
    _ simulator: Simulator, _ budgets: [Budget], into folder: URL
  ) async throws -> (ExperimentResults, wasInterrupted: Bool) {
    try ExperimentFolder(folder).create(withRuns: false)
    try OutputFolder(folder).write(simulator.scenario)
    var description = description(of: simulator, budgets, folder)
    var analysis = ExperimentAnalysis(description)
    let delay = simulator.scenario.link.toClient.oneWayDelayMilliseconds
    var table =
      events ? try EventsCSVWriter(ExperimentFolder(folder).eventsFile, oneWayDelayMilliseconds: delay) : nil
    var progress = Progress(total: repetitions * simulator.arms.count)
    do {
      try await simulator.forEachRecord(repetitions: repetitions) { record in
        let discarded = analysis.add(record)
        try table?.write(record, discarded: discarded != nil)
        progress.count("\(simulator.scenario.name), simulated")
      }
    } catch is CancellationError {
      progress.note("Interrupted; the report has the runs that were made.")
    }
    try table.take()?.close()
    progress.finish()
    description.provenance.finished = MachineFacts.now
    description.provenance.loadAfter = MachineFacts.load
    analysis.description = description
    let results = analysis.results { name, repetition in
      // Made again for its timeline: the same seed gives the same run.
      simulator.arms.first { $0.name == name }.flatMap { try? simulator.record($0, repetition: repetition) }
    }
    try ResultsFile.write(results, to: ExperimentFolder(folder).resultsFile)
    try ReportWriter(folder: folder).writeDocuments(results)
    return (results, Task.isCancelled)
  }

  private func description(of simulator: Simulator, _ budgets: [Budget], _ folder: URL) -> ExperimentDescription {
    let words = ["Tools/lab", "simulate"] + scenarioOptions.words(folder: folder) + ["--arms", arms]
    let command =
      words + ["--repetitions", "\(repetitions)", "--seed", "\(seed)"] + budget.flatMap { ["--budget", $0] }
    return ExperimentDescription(
      scenario: simulator.scenario.summary,
      provenance: Description.simulated(command: command, seed: seed, repetitions: repetitions),
      arms: simulator.arms.map { ArmDescription(name: $0.name, label: $0.label, notes: $0.notes) },
      rules: simulator.scenario.rules, budgets: budgets)
  }
}
