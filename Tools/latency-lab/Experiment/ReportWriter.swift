import Foundation
import LatencyReport
import LinkModel

/// Makes an experiment's documents from what its folder holds.
struct ReportWriter {
  let folder: URL

  /// Analyses the runs, writes `results.json`, `events.csv`, `report.html` and `report.md`, and answers the results.
  func write(companions: [CompanionExperiment] = []) throws -> ExperimentResults {
    let experiment = ExperimentFolder(folder)
    let delay = try experiment.readDescription().scenario.link.toClient.oneWayDelayMilliseconds
    var events = try EventsCSVWriter(experiment.eventsFile, oneWayDelayMilliseconds: delay)
    let results = try experiment.results(companions: companions) { record, discarded throws(FileError) in
      try events.write(record, discarded: discarded != nil)
    }
    try events.close()
    try ResultsFile.write(results, to: experiment.resultsFile)
    try writeDocuments(results)
    return results
  }

  func writeDocuments(_ results: ExperimentResults) throws {
    try write(HTMLReport(results).source, to: "report.html")
    try write(MarkdownReport(results).source, to: "report.md")
  }

  func write(_ text: String, to name: String) throws {
    let file = folder.appendingPathComponent(name)
    do {
      try Data(text.utf8).write(to: file)
    } catch {
      throw LabError(
        .failed, "'\(file.path)' cannot be written; is the disk full, and may this user write there?", cause: error)
    }
  }

  /// Other experiments of the same kind to show beside this one, from their folders.
  static func companions(_ folders: [String]) throws -> [CompanionExperiment] {
    try folders.map { folder in
      CompanionExperiment(try ResultsFile.read(ExperimentFolder(URL(fileURLWithPath: folder)).resultsFile))
    }
  }
}
