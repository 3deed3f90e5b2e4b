import ArgumentParser
import Foundation
import LatencyReport

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Puts two experiments' results side by side.",
    discussion: "For a change of this machine, this program or a server: run the same experiment before and after it.")

  @Argument(help: "The earlier output folder, or its results.json.")
  var earlier: String

  @Argument(help: "The later one.")
  var later: String

  @Flag(help: "JSON instead of a table.")
  var json = false

  func run() throws {
    let comparison = ResultsComparison(try Self.read(earlier), try Self.read(later))
    guard json else { return print(comparison.text) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(comparison), as: UTF8.self))
  }

  private static func read(_ path: String) throws -> ExperimentResults {
    let url = URL(fileURLWithPath: path)
    return try ResultsFile.read(path.hasSuffix(".json") ? url : ExperimentFolder(url).resultsFile)
  }
}
