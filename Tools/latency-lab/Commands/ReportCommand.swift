import ArgumentParser
import Foundation
import LatencyReport

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Makes an experiment's report again from its folder.",
    discussion: """
      Uses runs/ if it exists, otherwise the runs' metrics in results.json. Either way all findings and words are made anew \
      by the present rules; experiments beside it have to be given again.
      """)

  @Argument(help: "The output folder of 'latency-lab run'.")
  var folder: String

  @Option(help: ArgumentHelp("The folder of another experiment to show beside this one.", valueName: "folder"))
  var beside: [String] = []

  @Flag(help: "Print the results as JSON, judged by the present rules, and write nothing.")
  var json = false

  func run() throws {
    guard !json else {
      let results = try ResultsFile.read(ExperimentFolder(URL(fileURLWithPath: folder)).resultsFile)
      print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))
      return
    }
    let url = URL(fileURLWithPath: folder)
    let writer = ReportWriter(folder: url)
    let results: ExperimentResults
    if FileManager.default.fileExists(atPath: url.appendingPathComponent("runs").path) {
      results = try writer.write(companions: try ReportWriter.companions(beside))
    } else {
      var kept = try ResultsFile.read(ExperimentFolder(url).resultsFile)
      if !beside.isEmpty { kept.companions = try ReportWriter.companions(beside) }
      try writer.writeDocuments(kept)
      results = kept
    }
    print(TextSummary(results).text)
    print("Report: \(url.appendingPathComponent("report.html").path)")
  }
}
