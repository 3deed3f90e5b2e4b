import Foundation

/// A folder for one experiment: two in one would be analysed as one.
struct OutputFolder {
  /// The scenario as it was run, all overrides applied; `run` takes it.
  static let scenarioName = "scenario.json"

  private let url: URL

  init(_ url: URL) {
    self.url = url
  }

  /// Throws where an experiment was written there before.
  func requireUnused() throws(LabError) {
    let traces = ["experiment.json", "results.json", "report.html", "runs"]
    guard
      let found = traces.first(where: { FileManager.default.fileExists(atPath: url.appendingPathComponent($0).path) })
    else { return }
    throw LabError(
      .usage, "'\(url.path)' holds an experiment already (\(found)); give --out another folder, or remove that one.")
  }

  func write(_ scenario: Scenario) throws {
    try Data(try ScenarioFile.text(of: scenario).utf8).write(to: url.appendingPathComponent(Self.scenarioName))
  }
}
