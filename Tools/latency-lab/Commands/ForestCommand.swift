import ArgumentParser
import Foundation
import LatencyReport

struct ForestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forest", abstract: "Draws what several experiments found of the same two arms, a row each.",
    discussion: """
      Each row is the 95 % interval of the median difference with the medians of its seeds, judged by the present rules. \
      Rows come in the order in which the folders are given, grouped by server.
      """)

  @Argument(
    help: ArgumentHelp("The output folders of 'latency-lab run', or of a campaign's cells.", valueName: "folder"))
  var folders: [String]

  @Option(
    help: "The arm and the one it is compared with.", transform: { $0.split(separator: ",").map(String.init) })
  var arms = ["h3", "h2"]

  @Option(
    help: ArgumentHelp(
      "A metric as results.json names it, such as excessP99; otherwise the one chosen before the runs.",
      valueName: "metric"))
  var metric: String?

  @Option(help: ArgumentHelp("The picture's file.", valueName: "file"))
  var out = "forest.svg"

  func validate() throws {
    guard arms.count == 2, arms[0] != arms[1] else { throw ValidationError("--arms are two different ones, as h3,h2.") }
    if let metric, Metric(rawValue: metric) == nil {
      throw ValidationError(
        "There is no metric '\(metric)'; there are \(Metric.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
  }

  func run() throws {
    let experiments = try folders.map { folder in
      try ResultsFile.read(ExperimentFolder(URL(fileURLWithPath: folder)).resultsFile)
    }
    let picture = ForestPicture(
      experiments, arm: arms[0], baseline: arms[1], metric: metric.flatMap(Metric.init(rawValue:)))
    guard let picture else {
      throw LabError(
        .failed,
        "None of these experiments compares \(arms[0]) with \(arms[1]) by that; see 'comparisons' in results.json.")
    }
    do { try Data(picture.source.utf8).write(to: URL(fileURLWithPath: out)) } catch {
      throw LabError(
        .failed, "'\(out)' cannot be written; is the disk full, and may this user write there?", cause: error)
    }
    print("Picture: \(out)")
  }
}
