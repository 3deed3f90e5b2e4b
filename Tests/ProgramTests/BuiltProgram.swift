import Foundation
import Subprocess
import SystemPackage

/// A program of this package, run as a user runs it, with a state folder of its own.
struct BuiltProgram {
  struct Outcome {
    var status: TerminationStatus
    var output: String
    var error: String

    /// The output's JSON objects, one a line.
    var lines: [[String: Any]] {
      output.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
      }
    }
  }

  let name: String

  /// Beside the test bundle, where the build puts both.
  var path: FilePath {
    FilePath(CommandLine.arguments[0]).removingLastComponent().appending(name)
  }

  func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) async throws -> Outcome {
    let state = FileManager.default.temporaryDirectory.appending(path: "agent-stream-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: state) }
    var variables: [Environment.Key: String?] = ["XDG_STATE_HOME": state.path, "RESOLVEKIT_BASE_URL": nil]
    for (key, value) in environment { variables[Environment.Key(stringLiteral: key)] = value }
    let result = try await Subprocess.run(
      .path(path), arguments: Arguments(arguments), environment: .inherit.updating(variables),
      input: .string(input), output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
    return Outcome(
      status: result.terminationStatus, output: result.standardOutput, error: result.standardError)
  }
}
