import CodexAppServer
import Foundation

/// The codex that the tests run: the one that `Tools/setup --tests` installs, or one of the same version.
enum CodexUnderTest {
  /// A path, or nil.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
    let named = [environment["AGENT_STREAM_CODEX"], cache + "/agent-stream/codex-0.163.0/bin/codex"].compactMap(\.self)
    let candidates = named.compactMap { try? CodexProgram($0, environment: [:]) }
    return (candidates.first ?? (try? CodexProgram(environment: environment)))?.path
  }()

  /// Whether codex has to be there: in CI its absence is a failure.
  static let isWanted = path != nil || ProcessInfo.processInfo.environment["CI"] != nil

  static let reason = "there is no codex; 'Tools/setup --tests' installs it, AGENT_STREAM_CODEX names another one"

  static func program() throws -> CodexProgram { try CodexProgram(path ?? "codex", environment: [:]) }
}
