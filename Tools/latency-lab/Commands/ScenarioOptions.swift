import ArgumentParser
import Foundation

/// The network and the workload of an experiment, and changes to them.
struct ScenarioOptions: ParsableArguments {
  @Argument(help: "A preset's name (see 'latency-lab list') or a scenario file.")
  var scenario: String

  @Option(help: ArgumentHelp("Streams at the same time.", valueName: "count"))
  var streams: Int?

  @Option(help: ArgumentHelp("Events a second on each stream.", valueName: "tokens/s"))
  var rate: Double?

  @Option(help: ArgumentHelp("How long the streams last.", valueName: "seconds"))
  var duration: Double?

  @Option(help: ArgumentHelp("Packet loss each way, in per cent.", valueName: "%"))
  var loss: Double?

  @Option(help: ArgumentHelp("One-way delay each way; the round trip is twice that.", valueName: "ms"))
  var delay: Double?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Any other number of the scenario, such as link.toClient.queueBytes=50000; repeatable.",
      valueName: "path=value"))
  var settings: [String] = []

  /// The overrides, shorthands first.
  var overrides: [String] {
    var overrides: [String] = []
    if let streams { overrides.append("streams=\(streams)") }
    if let rate { overrides.append("tokensPerSecond=\(rate)") }
    if let duration { overrides.append("duration=\(duration)") }
    if let loss { overrides.append("loss=\(loss / 100)") }
    if let delay { overrides.append("delay=\(delay)") }
    return overrides + settings
  }

  /// The scenario with its overrides. Throws ``LabError``.
  func resolved() throws -> Scenario {
    let found = try Self.find(scenario)
    do {
      return try found.applying(overrides: overrides)
    } catch {
      throw LabError(.usage, "\(scenario): \(error)")
    }
  }

  /// A preset, else a file.
  static func find(_ text: String) throws(LabError) -> Scenario {
    if let preset = Presets.named(text) { return preset }
    guard text.contains("/") || text.contains(".") || FileManager.default.fileExists(atPath: text) else {
      return try preset(text)
    }
    do {
      return try ScenarioFile.read(text)
    } catch {
      throw LabError(.usage, "\(error)")
    }
  }

  static func preset(_ name: String) throws(LabError) -> Scenario {
    guard let preset = Presets.named(name) else {
      let names = Presets.all.map(\.name).joined(separator: ", ")
      throw LabError(.usage, "There is no preset and no file '\(name)'; the presets are \(names).")
    }
    return preset
  }

  /// Words of a command line with the same meaning: for a preset its name and what was changed, else the scenario that
  /// is kept in the experiment's folder, where all changes are made.
  func words(folder: URL) -> [String] {
    guard Presets.named(scenario) != nil else {
      return [folder.appendingPathComponent(OutputFolder.scenarioName).path]
    }
    var words = [scenario]
    if let streams { words += ["--streams", "\(streams)"] }
    if let rate { words += ["--rate", "\(rate)"] }
    if let duration { words += ["--duration", "\(duration)"] }
    if let loss { words += ["--loss", "\(loss)"] }
    if let delay { words += ["--delay", "\(delay)"] }
    return words + settings.flatMap { ["--set", $0] }
  }
}
