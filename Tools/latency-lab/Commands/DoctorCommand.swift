import ArgumentParser
import Foundation
import LinkEmulator
import ToolSupport

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Reports whether this machine can emulate links, and how exactly.",
    discussion: "Goals are for a quiet machine; a missed goal is reported and is not a failure.")

  @Option(help: ArgumentHelp("How long each packet rate is measured.", valueName: "seconds"))
  var seconds = 5.0

  @Flag(help: "One JSON object instead of text.")
  var json = false

  func validate() throws {
    guard seconds >= 0.5, seconds <= 600 else { throw ValidationError("--seconds takes 0.5 to 600.") }
  }

  func run() throws {
    if case .impossible(let error) = Privileges.state() {
      try show(Findings(facts: try SystemFacts.gather()))
      throw error
    }
    try Privileges.ensure()
    let facts = try SystemFacts.gather()
    if !json { try show(Findings(facts: facts)) }
    let calibration = try Calibrator(progress: { StandardError.write($0) }).calibrate(seconds: seconds)
    if json {
      try show(Findings(facts: facts, calibration: calibration))
    } else {
      print("\n" + DoctorText.lines(of: calibration).joined(separator: "\n"))
    }
  }

  private struct Findings: Encodable {
    var facts: SystemFacts
    var calibration: Calibration?
  }

  private func show(_ findings: Findings) throws {
    guard json else { return print(DoctorText.lines(of: findings.facts).joined(separator: "\n")) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(findings), as: UTF8.self))
  }
}
