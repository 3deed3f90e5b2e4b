import ArgumentParser
import Foundation
import LatencyReport

struct CoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Prints how often intervals hold the truth, of differences that the lab has measured.",
    discussion: """
      Samples are drawn, with replacement, from the paired differences of kept results and from a few shapes that are worse, \
      and each sample's 95 % interval is compared with the population that it is from.
      """)

  @Argument(help: "Folders with a results.json; Tools/latency-lab/results/* if none is given.")
  var folders: [String] = []

  @Option(help: ArgumentHelp("Samples of each population.", valueName: "count"))
  var samples = 2_000

  @Option(help: ArgumentHelp("The seed of all draws.", valueName: "number"))
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...1_000_000).contains(samples) else { throw ValidationError("--samples takes 1 to 1000000.") }
  }

  func run() throws {
    var populations = CoveragePopulation.adverse
    for folder in try folders.isEmpty ? Self.kept() : folders {
      let url = URL(fileURLWithPath: folder)
      let results = try ResultsFile.read(ExperimentFolder(url).resultsFile)
      populations += CoveragePopulation.differences(of: results, named: url.lastPathComponent)
    }
    print(IntervalCoverage(populations, samples: samples, seed: seed).markdown)
  }

  /// All experiments that this checkout keeps.
  private static func kept() throws -> [String] {
    let readme = URL(fileURLWithPath: try LabScripts.path(of: "results/README.md"))
    let parent = readme.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted()
      .map { parent.appendingPathComponent($0).path }
      .filter { FileManager.default.fileExists(atPath: $0 + "/" + ResultsFile.name) }
  }
}
