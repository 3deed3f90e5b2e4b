import Foundation
import LatencyReport

/// An experiment's parameters, with all options read and validated.
struct ExperimentRequest: Sendable {
  /// The runs whose packets are kept as pcapng beside the packet log.
  enum Capture: String, CaseIterable, Sendable {
    case none, first, all
  }

  var scenario: Scenario
  var arms: [Arm]
  var repetitions: Int
  var seeds: ExperimentSeeds
  var server: ServerChoice
  var budgets: [Budget]
  var rules: ExperimentRules
  var capture: Capture
  var folder: URL
  /// The command that runs it again, as words.
  var commandLine: [String]
  /// The emulator's calibration, measured before; nil: measured now.
  var calibration: LinkCalibration?
  /// Folders of experiments to show beside this one.
  var companions: [String] = []

  /// Spread over the seeds: four runs of each arm with each.
  static let defaultRepetitions = 20
  static let defaultSeeds = 5
}
