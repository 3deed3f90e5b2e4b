import StreamTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct OneShotTests {
  /// Runs each job at once and counts them.
  private final class CountingExecutor: SerialExecutor {
    private let jobs = Mutex(0)
    var count: Int { jobs.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.withLock { $0 += 1 }
      UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  private actor Waiter {
    private let executor: CountingExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: CountingExecutor) { self.executor = executor }

    /// The jobs that waiting for what is there already takes.
    func jobs(_ shot: OneShot<Int>) async throws -> Int {
      let before = executor.count
      _ = try await shot.value()
      return executor.count - before
    }
  }

  /// On a loop, each time that it is left and entered again is a switch of threads.
  @Test func anActorThatWaitsDoesNotLeaveItsExecutor() async throws {
    let shot = OneShot<Int>()
    shot.answer(.success(1))
    #expect(try await Waiter(CountingExecutor()).jobs(shot) == 0)
  }

  @Test func theFirstAnswerCounts() async throws {
    let shot = OneShot<Int>()
    let isFirst = shot.answer(.success(1))
    let isSecond = shot.answer(.failure(CancellationError()))
    #expect(isFirst && !isSecond)
    #expect(try await shot.value() == 1)
  }
}
