import CodexAppServer
import Foundation

/// A home of codex, with a model of the test's own, and a folder for its socket and one to work in.
final class CodexHome: Sendable {
  let root: String
  let folder: SocketFolder
  let environment: [String: String]

  var work: String { root + "/w" }

  init(modelPort: Int) throws {
    // A socket's path has to be short.
    root = "/tmp/agent-stream-codex-\(UInt32.random(in: 0 ... .max))"
    for name in ["/h", "/w"] {
      try FileManager.default.createDirectory(atPath: root + name, withIntermediateDirectories: true)
    }
    folder = try SocketFolder(root + "/s")
    let configuration = """
      model = "gpt-5.5"
      model_provider = "mock"
      approval_policy = "on-request"
      sandbox_mode = "read-only"
      check_for_update_on_startup = false
      [analytics]
      enabled = false
      [features]
      plugins = false
      [model_providers.mock]
      name = "mock"
      base_url = "http://127.0.0.1:\(modelPort)/v1"
      wire_api = "responses"
      request_max_retries = 0
      stream_max_retries = 0
      """
    try configuration.write(toFile: root + "/h/config.toml", atomically: true, encoding: .utf8)
    environment = [
      "CODEX_HOME": root + "/h", "HOME": root + "/h", "RUST_LOG": "warn",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func configuration(_ mode: AppServerProcessConfiguration.Mode) throws -> AppServerProcessConfiguration {
    var configuration = AppServerProcessConfiguration(
      program: try CodexUnderTest.program(), environment: environment, folder: folder, mode: mode,
      client: AppServerClient(name: "probe", version: "1", experimentalApi: true))
    configuration.startTime = .seconds(120)
    return configuration
  }
}
