import Testing

@testable import latency_lab

@Suite(.timeLimit(.minutes(10)))
struct ToolArrivalsTests {
  private let arrivals = ToolArrivals()

  @Test func aResultThatIsHereIsNotWaitedFor() async throws {
    arrivals.arrive(.init(start: 1, stream: 0))
    try await arrivals.wait(for: .init(start: 1, stream: 0))
  }

  @Test func allWhoWaitForAResultGetIt() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await arrivals.wait(for: .init(start: 1, stream: 2)) } }
      arrivals.arrive(.init(start: 1, stream: 1))
      arrivals.arrive(.init(start: 2, stream: 2))
      arrivals.arrive(.init(start: 1, stream: 2))
      try await group.waitForAll()
    }
  }

  @Test func whoIsCancelledWaitsNoLonger() async throws {
    let waiting = Task { try await arrivals.wait(for: .init(start: 1, stream: 0)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  /// The oldest results are forgotten, so what waits for one of them waits until it is cancelled.
  @Test func resultsAreNotKeptWithoutEnd() async throws {
    for start in 0...Int64(ToolArrivals.limit) { arrivals.arrive(.init(start: start, stream: 0)) }
    try await arrivals.wait(for: .init(start: 1, stream: 0))
    let forgotten = Task { try await arrivals.wait(for: .init(start: 0, stream: 0)) }
    forgotten.cancel()
    await #expect(throws: CancellationError.self) { try await forgotten.value }
  }
}
