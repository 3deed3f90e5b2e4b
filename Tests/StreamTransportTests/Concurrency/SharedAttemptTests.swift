import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(10))) struct SharedAttemptTests {
  @Test func aFailureReachesAllAndTheNextStartsAgain() async throws {
    struct Failure: Error {}
    let attempt = SharedAttempt<Int>()
    await #expect(throws: Failure.self) { try await attempt.value { throw Failure() } }
    #expect(try await attempt.value { 7 } == 7)
  }

  @Test func aTaskThatIsCancelledAlreadyStartsNothing() async throws {
    let attempt = SharedAttempt<Int>()
    let started = Counter()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await attempt.value {
        started.add()
        return 1
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(started.count == 0)
  }

  @Test func cancellingAllFailsEveryWaiter() async throws {
    struct Closed: Error {}
    let attempt = SharedAttempt<Int>()
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      try await attempt.value {
        started.yield()
        let (forever, keep) = AsyncStream.makeStream(of: Void.self)
        for await _ in forever {}
        withExtendedLifetime(keep) {}
        return 1
      }
    }
    for await _ in starts { break }
    attempt.cancel(throwing: Closed())
    await #expect(throws: Closed.self) { try await waiting.value }
  }
}
