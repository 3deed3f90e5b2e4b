import ArgumentParser
import Foundation
import LatencyReport
import LinkEmulator
import ToolSupport

struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Runs one experiment for each point of a grid of losses, delays and numbers of streams.",
    discussion: "Each point has a folder of its own below the output folder, whose report.html shows the grid.")

  @Argument(help: "A preset's name (see 'latency-lab list') or a scenario file.")
  var scenario: String

  @Option(help: ArgumentHelp("Losses each way in per cent, as 0,1,3.", valueName: "%,…"))
  var loss: NumberList?

  @Option(help: ArgumentHelp("One-way delays in milliseconds, as 0,25,50.", valueName: "ms,…"))
  var delay: NumberList?

  @Option(help: ArgumentHelp("Streams at the same time, as 1,8.", valueName: "count,…"))
  var streams: NumberList?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Any other number of the scenario, for all points; may be given often.", valueName: "path=value")
  )
  var settings: [String] = []

  @OptionGroup var options: ExperimentOptions

  private struct Point {
    var name: String
    var overrides: [String]
  }

  func validate() throws {
    guard loss != nil || delay != nil || streams != nil else {
      throw ValidationError("Give a grid: --loss, --delay or --streams, or several of them.")
    }
    let count = points.count
    guard count <= 1_000 else { throw ValidationError("The grid has \(count) points; 1000 are the most.") }
  }

  func run() async throws {
    let base = try ScenarioOptions.find(scenario)
    // All of them are checked before the first one runs.
    let scenarios = try points.map { point in
      do {
        return (point.name, try base.applying(overrides: settings + point.overrides))
      } catch {
        throw LabError(.usage, "\(scenario), \(point.name): \(error)")
      }
    }
    try Privileges.ensure()
    let folder = options.folder(for: "\(base.name)-sweep")
    try OutputFolder(folder).requireUnused()
    let (outcomes, failures) = try await Interruption.watch { try await perform(scenarios, in: folder) }
    try writeReport(outcomes.map(\.results), base: base, folder)
    let missed = outcomes.contains { $0.results.budgets.contains { !$0.isKept } }
    if outcomes.contains(where: \.wasInterrupted) { throw ExitCode(LabError.Code.interrupted.rawValue) }
    guard failures.isEmpty else { throw LabError(.failed, failures.joined(separator: "\n")) }
    if missed { throw ExitCode(LabError.Code.budgetMissed.rawValue) }
  }

  /// A point that cannot be measured is reported at the end; the others continue.
  private func perform(
    _ scenarios: [(String, Scenario)], in folder: URL
  ) async throws -> ([Experiment.Outcome], failures: [String]) {
    let calibration = try LinkCalibration.measure()
    var outcomes: [Experiment.Outcome] = []
    var failures: [String] = []
    for (index, (name, scenario)) in scenarios.enumerated() {
      StandardError.write("latency-lab: point \(index + 1) of \(scenarios.count), \(name)")
      var request = try options.request(
        for: scenario, commandLine: words, folder: folder.appendingPathComponent(name))
      request.calibration = calibration
      do {
        let outcome = try await Experiment(request).perform()
        outcomes.append(outcome)
        if outcome.wasInterrupted { break }
      } catch {
        failures.append("The point \(name) was not measured: \(error)")
        if Task.isCancelled { break }
      }
    }
    return (outcomes, failures)
  }

  private func writeReport(_ results: [ExperimentResults], base: Scenario, _ folder: URL) throws {
    let question = "Where on a grid around \(base.name) is HTTP/3 better, and by how much?"
    let command = words.map(Description.quoted).joined(separator: " ")
    guard let report = SweepReport(results, question: question, rerunCommand: command) else {
      throw LabError(.failed, "No point of the grid was measured.")
    }
    let writer = ReportWriter(folder: folder)
    try writer.write(report.html, to: "report.html")
    try writer.write(report.markdown, to: "report.md")
    print(report.markdown)
    print("Report: \(folder.appendingPathComponent("report.html").path)")
  }

  private var words: [String] {
    var words = ["Tools/lab", "sweep", scenario]
    if let loss { words += ["--loss", loss.text] }
    if let delay { words += ["--delay", delay.text] }
    if let streams { words += ["--streams", streams.text] }
    return words + settings.flatMap { ["--set", $0] } + options.words
  }

  private var points: [Point] {
    let losses = loss.map { $0.values.map { ("loss-\(NumberList.text($0))", "loss=\($0 / 100)") } }
    let delays = delay.map { $0.values.map { ("delay-\(NumberList.text($0))", "delay=\($0)") } }
    let counts = streams.map { $0.values.map { ("streams-\(NumberList.text($0))", "streams=\(NumberList.text($0))") } }
    var points = [Point(name: "", overrides: [])]
    for axis in [losses, delays, counts].compactMap({ $0 }) {
      points = points.flatMap { point in
        axis.map { name, override in
          Point(
            name: point.name.isEmpty ? name : "\(point.name)-\(name)", overrides: point.overrides + [override])
        }
      }
    }
    return points
  }
}

/// Numbers on a command line, separated by commas.
struct NumberList: ExpressibleByArgument, Sendable {
  var values: [Double]

  init?(argument: String) {
    var values: [Double] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = Double(part), value.isFinite, value >= 0 else { return nil }
      if !values.contains(value) { values.append(value) }
    }
    self.values = values
  }

  var text: String { values.map(Self.text).joined(separator: ",") }

  /// Whole numbers have no fraction.
  static func text(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
