import ArgumentParser
import LatencyReport

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Prints the JSON Schema of scenario files or of results.json.")

  enum Document: String, CaseIterable, ExpressibleByArgument {
    case scenario, results
  }

  @Argument(help: "scenario or results.")
  var document: Document

  func run() {
    switch document {
    case .scenario: print(ScenarioSchema.text)
    case .results: print(ResultsSchema.text)
    }
  }
}
