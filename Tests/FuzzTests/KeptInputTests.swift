import Foundation
import FuzzTargets
import Testing

/// The inputs that fuzzing keeps, crashes of old among them, run through what they were found with: a change that breaks a
/// promise traps here.
@Suite struct KeptInputTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Tools/fuzz/corpus").standardized

  @Test(arguments: FuzzTarget.allCases) func keptInputsAreTaken(_ target: FuzzTarget) throws {
    let inputs = try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
    #expect(!inputs.isEmpty)
    for input in inputs.sorted(by: { $0.path < $1.path }) { target.run(Array(try Data(contentsOf: input))) }
  }
}
