import Foundation
import Processes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChildProgramTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/child-\(UUID().uuidString)"

  private func end(_ script: String, _ change: (inout ChildProgram) -> Void = { _ in }) throws -> (ChildEnd, String) {
    var program = ChildProgram("sh", ["-c", script])
    program.output = .file(folder, permissions: 0o600)
    program.error = .output
    change(&program)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let end = try #require(ChildEnd(of: try program.start(), waits: true))
    return (end, (try? String(contentsOfFile: folder, encoding: .utf8)) ?? "")
  }

  @Test func outputAndErrorsGoToOneFile() throws {
    let (end, text) = try end("echo out; echo error >&2; cat; exit 3")
    #expect(end.status == 3)
    #expect(text == "out\nerror\n")
    #expect(end.usage.peakMemory > 0)
  }

  @Test func aSignalIsAddedTo128() throws {
    #expect(try end("kill -9 $$").0.status == 137)
  }

  @Test func theEnvironmentIsTheGivenOne() throws {
    #expect(try end("echo $COLOUR") { $0.environment = ["COLOUR": "blue", "PATH": "/usr/bin:/bin"] }.1 == "blue\n")
  }

  /// The process's number, its group and its session are fields 1, 5 and 6 (proc_pid_stat(5)).
  @Test func aGroupAndASessionAreTheChilds() throws {
    let own = try end("cat /proc/$$/stat") { $0.group = .own }.1.split(separator: " ")
    #expect(own[0] == own[4])
    let session = try end("cat /proc/$$/stat") { $0.group = .session }.1.split(separator: " ")
    #expect(session[0] == session[5])
  }

  @Test func aBlockedSignalIsNotBlockedInTheChild() throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    defer { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    #expect(try end("kill -TERM $$; sleep 600").0.status == 128 + SIGTERM)
  }

  @Test func aMissingProgramIsNamed() {
    let failure = #expect(throws: SpawnFailure.self) { _ = try ChildProgram("/no/such/program", []).start() }
    #expect(failure?.errno == ENOENT)
    #expect(failure?.description == "/no/such/program cannot be started: No such file or directory.")
  }

  @Test func aRunningChildHasNoEnd() throws {
    let process = try ChildProgram("sleep", ["600"]).start()
    #expect(ChildEnd(of: process, waits: false) == nil)
    #expect((ProcessMemory(of: process).peak ?? 0) > 0)
    kill(process, SIGKILL)
    #expect(ChildEnd(of: process, waits: true)?.status == 137)
    #expect(ProcessMemory(of: process).peak == nil)
  }
}
