import Foundation
import Subprocess
import Testing

/// `sample` as a process, with the backend that it brings and a person's lines through a pipe.
@Suite(.timeLimit(.minutes(2)))
struct SampleProgramTests {
  private let sample = BuiltProgram(name: "sample")

  @Test func everyCapabilityChangesTheStateThatIsShown() async throws {
    let outcome = try await sample.run(
      ["--url", "embedded"], input: "1\n2\n3\n4\ny\n5\n/quit\n", environment: ["RESOLVEKIT_API_KEY": ""])
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n")
    let shown = lines.compactMap { line in line.range(of: "[vibe ").map { line[$0.lowerBound...] } }
    let states = [
      "[vibe chill (teal) · mascot Pip the Gecko · confetti 0 · laser off]",
      "[vibe neon (magenta) · mascot Pip the Gecko · confetti 0 · laser off]",
      "[vibe neon (magenta) · mascot Captain Quokka · confetti 0 · laser off]",
      "[vibe neon (magenta) · mascot Captain Quokka · confetti 7 · laser off]",
      "[vibe neon (magenta) · mascot Captain Quokka · confetti 7 · laser ARMED]",
    ]
    #expect(shown.map(String.init) == states, "\(outcome.output)")
    #expect(outcome.output.contains("May the agent call arm_laser {\"armed\":true}? y or n: "))
    #expect(outcome.output.contains("Step 1 of 2") && outcome.output.contains("Step 2 of 2"))
  }

  @Test func whatIsDeclinedIsNotDone() async throws {
    let outcome = try await sample.run(["--url", "embedded"], input: "4\nno\n/quit\n")
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.output.contains("[arm_laser was not run") && !outcome.output.contains("ARMED"))
  }

  @Test func nothingGoesOnWithoutHostAndKey() async throws {
    let keyless = ["RESOLVEKIT_API_KEY": ""]
    let cases: [([String], [String: String], Int32, String)] = [
      ([], keyless, 2, "Host and API key are required"),
      (["--url", "https://127.0.0.1:9"], keyless, 2, "Host and API key are required"),
      ([], ["RESOLVEKIT_API_KEY": "rk_x"], 2, "Host and API key are required"),
      (["--url", "nowhere"], keyless, 2, "is no address"),
      (["--url", "http://host.invalid"], keyless, 2, "in the clear"),
      (["--api-key-file", "/nonexistent"], keyless, 2, "can't be read"),
      (["--nonsense"], keyless, 2, "nonsense"),
    ]
    for (arguments, environment, status, sentence) in cases {
      let outcome = try await sample.run(arguments, environment: environment)
      #expect(outcome.status == .exited(status), "\(arguments): \(outcome.error)")
      #expect(outcome.error.contains(sentence), "\(arguments): \(outcome.error)")
      #expect(!outcome.output.contains("Step 2"), "\(arguments)")
    }
  }
}
