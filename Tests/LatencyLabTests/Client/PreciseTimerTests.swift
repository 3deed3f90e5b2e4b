import Testing

@testable import latency_lab

@Suite(.timeLimit(.minutes(10)))
struct PreciseTimerTests {
  @Test func nobodyIsWokenBeforeTheTime() async throws {
    let timer = try PreciseTimer()
    let start = PreciseTimer.now
    // In no order, so that the earliest has to move to the front.
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for offset: Int64 in [9, 2, 7, 1, 8, 3] {
        group.addTask {
          try await timer.wait(until: start + offset * 1_000_000)
          return PreciseTimer.now - start - offset * 1_000_000
        }
      }
      for try await lateness in group { #expect(lateness >= 0) }
    }
  }

  @Test(arguments: [Int64.min, 0, 1])
  func whatHasPassedIsNotWaitedFor(_ time: Int64) async throws {
    try await PreciseTimer().wait(until: time)
  }

  @Test func whoIsCancelledWaitsNoLonger() async throws {
    let timer = try PreciseTimer()
    let waiting = Task { try await timer.wait(until: .max) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
