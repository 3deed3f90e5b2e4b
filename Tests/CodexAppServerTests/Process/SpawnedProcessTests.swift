import Glibc
import Testing

@testable import CodexAppServer

@Suite(.timeLimit(.minutes(5)))
struct SpawnedProcessTests {
  /// A listening socket that codex inherits would be taken for as long as codex lives.
  @Test func nothingIsInheritedButTheStandardStreams() async throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let process = try SpawnedProcess(
      "/bin/sleep", ["600"], environment: [:], input: null, output: null, error: null)
    close(null)
    close(ends[1])
    // The end of the pipe is seen while the child runs: it has no copy of the other side.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    #expect(process.ending == nil)
    close(ends[0])
    process.signal(SIGKILL)
    #expect(await process.waitForEnd(within: .seconds(60)) == .killed(signal: SIGKILL))
  }
}
