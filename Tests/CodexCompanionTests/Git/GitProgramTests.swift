import Foundation
import Testing

@testable import CodexCompanion

/// The limits of a program that does what git does not.
@Suite struct GitProgramTests {
  private let test: TestRepository

  init() throws { test = try TestRepository() }

  private func program(_ script: String) throws -> GitProgram {
    try test.write("../git", "#!/bin/sh\n" + script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: test.base + "/git")
    return GitProgram(path: test.base + "/git", environment: test.environment)
  }

  private func run(_ program: GitProgram, _ change: (inout GitCommand) -> Void = { _ in }) async throws -> GitOutput {
    var command = GitCommand("status")
    command.timeLimit = .seconds(240)
    change(&command)
    return try await program.run(command, in: test.folder, settings: GitSettings())
  }

  @Test func whatTakesTooLongIsEndedWithAllThatItStarted() async throws {
    let path = test.base + "/held"
    #expect(mkfifo(path, 0o600) == 0)
    let pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(pipe) }
    // Deaf to the polite signal, and so is the child, which holds the pipe.
    let program = try program("trap '' TERM\nsleep 600 > '\(path)' &\nsleep 600\n")
    let error = await #expect(throws: GitError.self) { try await run(program) { $0.timeLimit = .milliseconds(500) } }
    #expect(error?.code == .timedOut)
    var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, 60_000) == 1)
    var byte: UInt8 = 0
    #expect(read(pipe, &byte, 1) == 0, "The pipe is at its end once no process holds it.")
  }

  @Test func whoeverWaitsNoLongerEndsIt() async throws {
    let program = try program("sleep 600\n")
    let task = Task { try await run(program) { $0.timeLimit = .seconds(600) } }
    task.cancel()
    await #expect(throws: GitError.self) { try await task.value }
  }

  @Test func tooMuchOutputIsRefusedOrCut() async throws {
    let program = try program("while :; do echo 0123456789; done\n")
    let error = await #expect(throws: GitError.self) { try await run(program) { $0.outputLimit = 100_000 } }
    #expect(error?.code == .tooLong)
    let output = try await run(program) {
      $0.outputLimit = 100_000
      $0.excess = .cut
    }
    #expect(output.isCut && output.output.count == 100_000)
  }

  @Test func outputUpToTheLimitIsWhole() async throws {
    let output = try await run(program("printf 12345\n")) { $0.outputLimit = 5 }
    #expect(output.text == "12345" && !output.isCut)
  }

  @Test func aLongErrorIsKeptInPart() async throws {
    let output = try await run(program("head -c 1000000 /dev/zero | tr '\\0' x >&2\nexit 3\n"))
    #expect(output.exitCode == 3 && output.errorOutput.count == GitOutput.maximumError)
  }

  @Test func oneTooManyIsRefused() async throws {
    let gate = test.base + "/gate"
    let program = try program("while [ ! -e '\(gate)' ]; do sleep 0.05; done\n")
    let codes = await withTaskGroup(of: GitError.Code?.self) { group in
      for _ in 0...GitProgram.maximumCommands {
        group.addTask {
          do {
            _ = try await self.run(program) { $0.timeLimit = .seconds(600) }
            return nil
          } catch {
            return (error as? GitError)?.code
          }
        }
      }
      // All others wait for the gate.
      var codes = [await group.next() ?? nil]
      #expect(FileManager.default.createFile(atPath: gate, contents: nil))
      for await code in group { codes.append(code) }
      return codes
    }
    #expect(codes == [.busy] + Array(repeating: nil, count: GitProgram.maximumCommands))
  }

  @Test func gitIsFoundInAbsoluteFoldersAlone() throws {
    #expect(throws: GitError.self) { try GitProgram(environment: ["PATH": ".:bin::/nonexistent"]) }
    _ = try GitProgram(environment: ["PATH": "/nonexistent:/usr/bin"])
  }

  @Test func theEnvironmentIsReduced() async throws {
    let program = try program("env\nprintf '%s\\n' \"$@\"\n")
    let names = try await run(program).text.split(separator: "\n").compactMap { $0.split(separator: "=").first }
    let known: Set<Substring> = [
      "HOME", "PATH", "LC_ALL", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_PAGER", "GIT_EDITOR",
      "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL", "GIT_LITERAL_PATHSPECS", "GIT_CONFIG_COUNT", "PWD", "_", "SHLVL",
      "OLDPWD",
      "--no-pager", "status",
    ]
    #expect(names.filter { !known.contains($0) && !$0.hasPrefix("GIT_CONFIG_") } == [])
  }

  @Test func aMissingFolderIsReportedAsSuch() async throws {
    let program = try program("echo\n")
    let error = await #expect(throws: GitError.self) {
      try await program.run(GitCommand("status"), in: test.base + "/gone", settings: GitSettings())
    }
    #expect(error?.code == .unavailable)
  }
}
