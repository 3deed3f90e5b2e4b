import CodexAppServer
import Foundation
import Testing

struct AppServerTrialTests {
  /// A codex that does what a script says.
  private func outcome(_ script: String, within time: Duration = .seconds(120)) async throws -> AppServerTrial.Outcome {
    let folder = "/tmp/agent-stream-trial-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/codex"
    _ = FileManager.default.createFile(
      atPath: path, contents: Data("#!/bin/sh\n\(script)\n".utf8), attributes: [.posixPermissions: 0o755])
    let environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder]
    let trial = AppServerTrial(
      of: try CodexProgram(path, environment: environment), environment: environment, within: time)
    var result = try await trial.run()
    // Another test's child holds the script open for writing between its fork and its exec (ETXTBSY).
    while case .failed(let word) = result, word.contains("Text file busy") { result = try await trial.run() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["codex"], "it leaves nothing behind")
    return result
  }

  @Test(.timeLimit(.minutes(5))) func aStartThatFailsReportsItsError() async throws {
    #expect(
      try await outcome("echo 'Error: remove this setting' >&2; echo '  6: <unknown>' >&2; exit 1")
        == .failed("remove this setting"))
    guard case .failed(let word) = try await outcome("exit 3") else {
      Issue.record("it started")
      return
    }
    #expect(word.contains("exited with 3"))
  }

  @Test(.timeLimit(.minutes(5))) func aCodexThatSaysNothingIsNotWaitedForWithoutEnd() async throws {
    guard case .failed = try await outcome("exec sleep 600", within: .milliseconds(200)) else {
      Issue.record("it started")
      return
    }
  }

  @Test(.timeLimit(.minutes(5))) func itsVersionAndItsConfigurationAreReported() async throws {
    let script = #"""
      read line
      echo '{"id":1,"result":{"userAgent":"x/0.164.0 (Debian)"}}'
      read line
      read line
      echo '{"id":2,"error":{"code":-32603,"message":"unclosed array"}}'
      while read line; do :; done
      """#
    let outcome = try await outcome(script)
    guard case .started(let greeting, let complaint) = outcome else {
      Issue.record("it did not start: \(outcome)")
      return
    }
    #expect(greeting.version == CodexVersion(major: 0, minor: 164, patch: 0))
    #expect(complaint == "unclosed array")
  }
}
