import Foundation
import LinkEmulator
import LinkModel
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Machine.mayMakeLinks, Comment(rawValue: Machine.reason)))
struct KilledParentTests {
  /// Whatever is left, a program, a descendant or a thread, would still be in one of the two namespaces.
  @Test func nothingIsLeftWhenTheProcessIsKilled() async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
      let link = try EmulatedLink(
        conditions: LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1)),
        seed: LinkSeed(scenario: 1, repetition: 1))
      try link.start()
      for side in LinkSide.allCases {
        let name = try link.run(on: side) { Machine.currentNamespace() }
        print("namespace", name)
        let script = "setsid sleep 1000 & trap '' TERM HUP INT; echo started; while :; do sleep 1000; done"
        let pipe = try Pipe()
        let output = NamespacedCommand.Output.descriptor(pipe.writing)
        let idle = NamespacedCommand("sleep", ["1000"], output: .discarded, error: .discarded)
        let stubborn = NamespacedCommand("sh", ["-c", script], output: output, error: .discarded)
        for command in [idle, stubborn] { print("process", try link.start(command, on: side).identifier) }
        _ = pipe.readLine()
      }
      fflush(nil)
      kill(getpid(), SIGKILL)
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let lines = output.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 2 }
    let namespaces = Set(lines.filter { $0[0] == "namespace" && $0[1].hasPrefix("net:") }.map { String($0[1]) })
    let processes = lines.filter { $0[0] == "process" }.compactMap { pid_t($0[1]) }
    #expect(namespaces.count == 2)
    #expect(processes.count == 4)
    #expect(Machine.eventually { Machine.networkNamespaces().isDisjoint(with: namespaces) })
    #expect(Machine.eventually { processes.allSatisfy { kill($0, 0) == -1 && errno == ESRCH } })
  }
}
