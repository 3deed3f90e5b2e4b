import Foundation
import Subprocess
import Testing

/// `sample` as a process, with the backend that it brings and a person's lines through a pipe.
@Suite(.timeLimit(.minutes(10)))
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
    let step2 = outcome.output.components(separatedBy: "Step 2 of 2").last?.components(separatedBy: "[vibe").first
    #expect(step2?.split(separator: "\n").allSatisfy { $0.count <= 80 } == true)
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

  /// A key that a person types is not on the screen, and the terminal shows what is typed afterwards again.
  @Test func theKeyThatIsTypedIsNotShown() async throws {
    let outcome = try await TerminalDialogue.hold(with: "sample") { sample in
      try await sample.expect("for a backend inside this program: ")
      sample.type("https://127.0.0.1:9\r")
      try await sample.expect("API key (not shown): ")
      sample.type("rk_hidden\r")
    }
    #expect(outcome.status == .exited(3), "\(outcome.record)")
    #expect(outcome.isGivenBack && !outcome.record.contains("hidden"))
    #expect(outcome.record.contains("https://127.0.0.1:9\r\n"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aKeyThatIsNotTypedToItsEndLeavesTheTerminalAsItWas(number: Int32) async throws {
    let outcome = try await TerminalDialogue.hold(with: "sample", ["--url", "https://127.0.0.1:9"]) { sample in
      try await sample.expect("API key (not shown): ")
      // Only a signal that is typed is sure to come behind what was typed before, which the kernel takes in its own time.
      if number == SIGINT { sample.type("rk_hid\u{3}") } else { kill(sample.process, number) }
    }
    #expect(outcome.status == .signaled(number))
    #expect(outcome.isGivenBack && !outcome.record.contains("hid"))
  }

  @Test func aKeyFileThatOthersCanReadIsRefused() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = FileManager.default.createFile(
      atPath: file, contents: Data("rk_x".utf8), attributes: [.posixPermissions: 0o644])
    let outcome = try await sample.run(["--url", "https://127.0.0.1:9", "--api-key-file", file])
    #expect(outcome.status == .exited(2))
    #expect(outcome.error.contains("chmod 600"))
  }
}
