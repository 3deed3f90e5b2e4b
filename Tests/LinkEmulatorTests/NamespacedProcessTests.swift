import Foundation
import LinkEmulator
import LinkModel
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Machine.mayMakeLinks, Comment(rawValue: Machine.reason)))
struct NamespacedProcessTests {
  private let link: EmulatedLink
  private let folder: TemporaryFolder

  init() throws {
    var options = EmulatedLink.Options()
    options.wantsRealtime = false
    link = try EmulatedLink(
      conditions: LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1)),
      seed: LinkSeed(scenario: 1, repetition: 1), options: options)
    folder = try TemporaryFolder()
  }

  private func shell(
    _ script: String, on side: LinkSide = .client, output: NamespacedCommand.Output = .discarded
  ) throws
    -> NamespacedProcess
  {
    try link.start(NamespacedCommand("/bin/sh", ["-c", script], output: output, error: .discarded), on: side)
  }

  @Test(arguments: LinkSide.allCases) func aProgramSeesItsSideAlone(_ side: LinkSide) async throws {
    let script = """
      cut -d: -f1 -s /proc/net/dev | tr -d ' ' | sort
      cat /proc/sys/net/ipv4/tcp_no_metrics_save /proc/sys/net/ipv6/conf/link0/accept_ra
      grep -c . /proc/net/fib_trie; cat /proc/net/fib_trie /proc/net/if_inet6
      """
    let process = try shell(script, on: side, output: .file(path: folder.path("out")))
    #expect(try await process.ended().isSuccess)
    let text = try folder.text("out")
    #expect(text.hasPrefix("link0\nlo\n1\n0\n"))
    #expect(text.contains(side.address))
    #expect(!text.contains(side.other.address))
    #expect(text.contains(side == .client ? "20010db8001800000000000000000100" : "20010db8001800010000000000000100"))
    link.stop()
  }

  @Test func theEndHasCodeSignalAndCost() async throws {
    let exiting = try await shell("exit 3").ended()
    #expect(exiting.exitCode == 3)
    #expect(exiting.signal == nil)
    #expect(!exiting.isSuccess)
    let signalled = try await shell("kill -USR1 $$").ended()
    #expect(signalled.exitCode == nil)
    #expect(signalled.signal == SIGUSR1)
    let busy = try await shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done").ended()
    #expect(try #require(busy.userSeconds) > 0)
    #expect(try #require(busy.peakResidentBytes) > 100_000)
  }

  @Test func theCostOfALiveProcessGrowsAndHoldsThatOfItsChildren() throws {
    // The shell waits while its child works.
    let process = try shell("sh -c 'while :; do :; done'; true")
    #expect(Machine.eventually { (process.cpuSeconds ?? 0) > 0.05 })
    process.kill()
    let ending = process.waitUntilEnded()
    #expect(ending?.signal == SIGKILL)
    #expect(process.cpuSeconds != nil)
  }

  @Test func whatIgnoresTheRequestToEndIsKilled() throws {
    let pipe = try Pipe()
    let process = try shell("trap '' TERM; echo ready; while :; do sleep 1000; done", output: .descriptor(pipe.writing))
    let ready = pipe.readLine()
    #expect(ready == "ready")
    let ending = process.terminate(grace: .milliseconds(50))
    #expect(ending?.signal == SIGKILL)
  }

  @Test func anotherSignalMayAskForTheEnd() throws {
    let pipe = try Pipe()
    let process = try shell(
      "trap 'exit 7' QUIT; trap '' TERM; echo ready; while :; do :; done", output: .descriptor(pipe.writing))
    let ready = pipe.readLine()
    #expect(ready == "ready")
    let ending = process.terminate(by: SIGQUIT, grace: .seconds(30))
    #expect(ending?.exitCode == 7)
  }

  @Test func whatEndsWhenAskedIsNotKilled() async throws {
    let pipe = try Pipe()
    let process = try shell("trap 'exit 7' TERM; echo ready; while :; do :; done", output: .descriptor(pipe.writing))
    #expect(pipe.readLine() == "ready")
    let ending = try await process.terminated(grace: .seconds(30))
    #expect(ending.exitCode == 7)
  }

  @Test func descendantsEndWithTheProgram() async throws {
    let pipe = try Pipe()
    let process = try shell("sleep 1000 & setsid sleep 1000 & echo started", output: .descriptor(pipe.writing))
    #expect(try await process.ended().isSuccess)
    // The pipe ends when nobody holds it any more.
    #expect(pipe.readToEnd() == "started\n")
  }

  @Test func stoppingTheLinkEndsItsProgramsAndLeavesNoZombie() throws {
    let pipe = try Pipe()
    let process = try shell("sleep 1000 & sleep 1000", output: .descriptor(pipe.writing))
    link.stop(grace: .milliseconds(100))
    #expect(process.ending != nil)
    #expect(pipe.readToEnd() == "")
    #expect(kill(process.identifier, 0) == -1)
    #expect(errno == ESRCH)
  }

  @Test func aWaitCanBeCancelled() async throws {
    let process = try shell("sleep 1000")
    let wait = Task { try await process.ended() }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    process.kill()
    #expect(try await process.ended().signal == SIGKILL)
  }

  @Test func outputAndErrorsMayShareAFile() async throws {
    let file = NamespacedCommand.Output.file(path: folder.path("both"))
    let command = NamespacedCommand(
      "sh", ["-c", "echo one; echo two >&2; pwd; echo $A; cat"], environment: ["A": "b c", "PATH": "/usr/bin:/bin"],
      directory: "/usr", output: file, error: file)
    #expect(try await link.start(command, on: .server).ended().isSuccess)
    #expect(try folder.text("both") == "one\ntwo\n/usr\nb c\n")
  }

  @Test func linesComeUntilTheLastWriterIsGone() async throws {
    let output = try OutputLines(name: "lines")
    let script = "echo ready; echo; printf 'no end'"
    _ = try shell(script, output: .descriptor(output.writingEnd))
    output.processHasStarted()
    var lines: [String] = []
    for await line in output.lines { lines.append(line) }
    #expect(lines == ["ready", "", "no end"])
    #expect(output.writingEnd == -1)
  }

  @Test func noOtherDescriptorIsPassedOn() async throws {
    let pipe = try Pipe()
    let process = try shell("ls /proc/self/fd | wc -l", output: .file(path: folder.path("out")))
    #expect(try await process.ended().isSuccess)
    // Input, output, errors, and the folder that is being listed.
    #expect(try folder.text("out").trimmingCharacters(in: .whitespacesAndNewlines) == "4")
    #expect(pipe.readToEnd() == "")
  }

  @Test func whatCannotBeRunIsSaid() throws {
    func failure(_ command: NamespacedCommand) -> EmulatorError? {
      #expect(throws: EmulatorError.self) { try link.start(command, on: .client) }
    }
    let missing = failure(NamespacedCommand("/no/such/program"))
    #expect(missing?.code == .notExecutable)
    #expect(missing?.message.contains("does not exist") == true)
    let data = folder.path("data")
    try Data("text".utf8).write(to: URL(filePath: data))
    #expect(failure(NamespacedCommand(data))?.message.contains("chmod +x") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
    #expect(failure(NamespacedCommand(data))?.message.contains("#!/bin/sh") == true)
    let directory = failure(NamespacedCommand("/bin/true", directory: "/no/such/folder"))
    #expect(directory?.code == .file)
    #expect(directory?.message.contains("/no/such/folder") == true)
    let output = failure(NamespacedCommand("/bin/true", output: .file(path: "/no/such/folder/file")))
    #expect(output?.code == .file)
  }
}
