import TestSupport
import Testing

@testable import CodexWorkersClient

/// retry/backoff logic and cancellation behavior
struct WorkerBackoffTests {
  @Test(arguments: [(0, 0), (1, 250), (2, 500), (3, 1_000), (5, 4_000), (6, 8_000), (7, 8_000), (100, 8_000)])
  func theWaitDoublesUpToEightSecondsWithJitter(failures: Int, milliseconds: Int) {
    var backoff = WorkerBackoff()
    for _ in 0..<failures { backoff.failed() }
    var generator = SeededGenerator(seed: 5)
    let waits = (0..<200).map { _ in backoff.delay(using: &generator) }
    #expect(waits.allSatisfy { $0 >= .milliseconds(milliseconds) && $0 <= .milliseconds(milliseconds * 3 / 2) })
    #expect(failures == 0 || Set(waits).count > 20)
    backoff.succeeded()
    #expect(backoff.delay(using: &generator) == .zero)
  }
}
