import Foundation
import HTTP3Engine
import ResolveKitUI
import StreamTransport
import TestSupport
import Testing

/// The traces of a stopped session in its process.
@Suite(.timeLimit(.minutes(10)))
struct StoppedSessionTests {
  @Test(
    "Invariant 15: a stop leaves no socket, no timer, no thread and no update",
    arguments: [ResolveKitTransport.http3, .http1, .automatic])
  @MainActor
  func aStopLeavesNothing(transport: ResolveKitTransport) async throws {
    let fixture = try await EndToEndFixture.open()
    var threads: Int?
    for round in 1...3 {
      let clock = ManualClock()
      let runtime = try fixture.runtime(over: transport, clock: clock)
      let updates = runtime.updates()
      try await runtime.start()
      let answer = try await runtime.respond(to: "What time is it?")
      #expect(!answer.text.isEmpty)
      #expect(ProcessState.connected(to: fixture.origin.port) > 0)
      #expect(clock.sleeperCount > 0)
      await runtime.stop()
      #expect(clock.sleeperCount == 0, "round \(round)")
      // The descriptors of a closed connection are closed in the loops' next turn.
      await until { ProcessState.connected(to: fixture.origin.port) == 0 }
      // The loops are the process's own, and last: they are made once.
      let loops = ProcessState.threads { $0.hasPrefix("loop-") }
      #expect(loops > 0 && threads ?? loops == loops, "round \(round): \(loops) loops")
      threads = loops
      await runtime.finish()
      var isStopped = false
      for await update in updates {
        if case .connection(let connection) = update { isStopped = connection.state == .idle }
      }
      #expect(isStopped, "round \(round): the last update is the stop")
    }
    await fixture.close()
  }
}

/// This process as `/proc` describes it.
private enum ProcessState {
  /// The number of sockets with this port at their other end.
  static func connected(to port: Int) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { descriptor in
      NetworkAddress.peer(of: descriptor).map { $0.isIPv4 && Int($0.port) == port } ?? false
    }.count
  }

  static func threads(named isMeant: (String) -> Bool) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.filter { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)).map(isMeant) ?? false
    }.count
  }
}
