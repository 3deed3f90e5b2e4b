import ArgumentParser
import Foundation
import LinkEmulator

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Tells whether this machine can emulate links, and how exactly.",
    discussion: "Goals are for a quiet machine; a missed one is told and is no failure.")

  @Option(help: ArgumentHelp("How long each packet rate is measured.", valueName: "seconds"))
  var seconds = 5.0

  @Flag(help: "One JSON object instead of text.")
  var json = false

  func validate() throws {
    guard seconds >= 0.5, seconds <= 600 else { throw ValidationError("--seconds takes 0.5 to 600.") }
  }

  func run() throws {
    try Privileges.ensure()
    let facts = try SystemFacts.gather()
    if !json { print(DoctorText.lines(of: facts).joined(separator: "\n")) }
    let calibration = try Calibrator(progress: { StandardError.write($0) }).calibrate(seconds: seconds)
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(Findings(facts: facts, calibration: calibration)), as: UTF8.self))
    } else {
      print("\n" + DoctorText.lines(of: calibration).joined(separator: "\n"))
    }
  }

  private struct Findings: Encodable {
    var facts: SystemFacts
    var calibration: Calibration
  }
}
