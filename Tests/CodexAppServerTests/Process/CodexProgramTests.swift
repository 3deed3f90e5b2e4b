import CodexAppServer
import Foundation
import Testing

struct CodexProgramTests {
  private func error(_ name: String, _ path: String) -> AppServerError.Code? {
    do {
      _ = try CodexProgram(name, environment: ["PATH": path])
      return nil
    } catch {
      return error.code
    }
  }

  @Test func aProgramIsFoundOnThePathAlone() throws {
    #expect(try CodexProgram("sh", environment: ["PATH": "relative::/nowhere:/bin"]).path == "/bin/sh")
    #expect(error("sh", "") == .notFound)
    #expect(error("sh", ".:bin") == .notFound)
    #expect(error("no-such-program", "/bin:/usr/bin") == .notFound)
    #expect(error("/bin", "/bin") == .notFound)
    #expect(error("/etc/passwd", "/bin") == .notFound)
  }

  @Test func bubblewrapIsFoundOnThePathOrInThePackage() throws {
    let root = "/tmp/agent-stream-test-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: root) }
    for name in ["bin", "codex-resources"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    func make(_ name: String, mode: Int) {
      _ = FileManager.default.createFile(
        atPath: root + name, contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: mode])
    }
    make("/bin/codex", mode: 0o755)
    let program = try CodexProgram(root + "/bin/codex", environment: [:])
    #expect(program.bubblewrap(environment: [:]) == nil)
    make("/codex-resources/bwrap", mode: 0o644)
    #expect(program.bubblewrap(environment: [:]) == nil)
    make("/codex-resources/bwrap", mode: 0o755)
    #expect(
      program.bubblewrap(environment: [:]) == program.path.replacing("/bin/codex", with: "/codex-resources/bwrap"))
    make("/bin/bwrap", mode: 0o755)
    #expect(program.bubblewrap(environment: ["PATH": root + "/bin"]) == root + "/bin/bwrap")
  }
}
