import Foundation
import Processes

/// A client's command, run by the shell.
struct TestedClient {
  private let identifier: Int32

  /// - Parameter output: the file for what it writes.
  init(_ command: String, environment: [String: String], output: String) throws(SpawnFailure) {
    var program = ChildProgram("/bin/sh", ["-c", "exec \(command)"])
    program.environment.merge(environment) { $1 }
    program.output = .file(output, permissions: 0o600)
    program.error = .output
    identifier = try program.start()
  }

  /// Waits for the end; one that has not come after `limit` is made. Nil for one that was.
  func wait(for limit: Duration) async throws -> ChildEnd? {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while clock.now < deadline {
      if let end = ChildEnd(of: identifier, waits: false) { return end }
      try await Task.sleep(for: .milliseconds(10))
    }
    kill(identifier, SIGKILL)
    _ = ChildEnd(of: identifier, waits: true)
    return nil
  }
}
