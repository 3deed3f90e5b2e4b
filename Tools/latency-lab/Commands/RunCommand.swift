import ArgumentParser
import Foundation
import LatencyReport
import LinkEmulator

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs one experiment and writes its report.",
    discussion: """
      Each arm runs in fresh network namespaces against a fresh server; arms of one repetition have the same seed and \
      follow each other in random order. Ctrl-C ends early, with a report of the completed runs.

      The output folder holds report.html, report.md, results.json, events.csv, runs/ and captures/.
      """)

  @OptionGroup var scenarioOptions: ScenarioOptions
  @OptionGroup var options: ExperimentOptions

  @Option(
    help: ArgumentHelp(
      "The folder of another experiment to show beside this one, such as one with a single stream; repeatable.",
      valueName: "folder"))
  var beside: [String] = []

  func run() async throws {
    let request = try request()
    try Privileges.ensure()
    let experiment = try Experiment(request)
    let outcome = try await Interruption.watch { try await experiment.perform() }
    print(TextSummary(outcome.results).text)
    print("Report: \(request.folder.appendingPathComponent("report.html").path)")
    try Self.finish(outcome)
  }

  /// The experiment that the options describe.
  ///
  /// - Parameters:
  ///   - given: where it is written, in place of `--out`.
  ///   - place: where it is moved to at the end; nil where it stays.
  func request(folder given: URL? = nil, kept place: URL? = nil) throws -> ExperimentRequest {
    let scenario = try scenarioOptions.resolved()
    let folder = given ?? options.folder(for: scenario.name)
    let words = ["Tools/lab", "run"] + scenarioOptions.words(folder: place ?? folder) + options.words
    var request = try options.request(
      for: scenario, commandLine: words + beside.flatMap { ["--beside", $0] }, folder: folder)
    request.companions = beside
    return request
  }

  /// Throws the exit code that an outcome has earned.
  static func finish(_ outcome: Experiment.Outcome) throws {
    if outcome.wasInterrupted { throw ExitCode(LabError.Code.interrupted.rawValue) }
    if outcome.results.budgets.contains(where: { !$0.isKept }) { throw ExitCode(LabError.Code.budgetMissed.rawValue) }
    if outcome.results.arms.allSatisfy(\.runs.isEmpty) {
      throw LabError(.failed, "No run was usable; the report's list of discarded runs says why.")
    }
  }
}
