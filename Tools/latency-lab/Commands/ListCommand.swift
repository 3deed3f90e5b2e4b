import ArgumentParser
import Foundation

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the presets, or shows one as a scenario file.")

  @Argument(help: "A preset, to be printed as the JSON that 'run' takes as a file.")
  var preset: String?

  @Flag(help: "All presets as one JSON array.")
  var json = false

  func run() throws {
    if let preset {
      print(try ScenarioFile.text(of: try ScenarioOptions.preset(preset)))
    } else if json {
      let texts = try Presets.all.map { try ScenarioFile.text(of: $0) }
      print("[" + texts.joined(separator: ",\n") + "]")
    } else {
      let width = Presets.all.map(\.name.count).max() ?? 0
      for scenario in Presets.all {
        print(scenario.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + scenario.about)
      }
      print("\narms: " + Arm.all.map { "\($0.name) (\($0.label))" }.joined(separator: ", "))
      print("'latency-lab list NAME' shows a preset's numbers and their source.")
    }
  }
}
