import Synchronization
import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(10))) struct BodyOutboxTests {
  private final class Calls: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
  }

  private func outbox(target: Int = 10) -> (BodyOutbox, Calls) {
    let calls = Calls()
    return (BodyOutbox(target: target) { calls.add() }, calls)
  }

  @Test func nothingIsTakenBeforeTheFields() async throws {
    let (outbox, calls) = outbox()
    #expect(try await failureCode { try await outbox.write([1]) } == .invalidRequest)
    #expect(calls.count == 0)
    #expect(outbox.takeAll().isEmpty)
  }

  @Test func theLoopIsNotifiedOnceAndTakesAllInOrder() async throws {
    let (outbox, calls) = outbox()
    outbox.begin()
    for byte in UInt8(0)..<4 { try await outbox.write([byte]) }
    #expect(calls.count == 1)
    #expect(outbox.takeAll() == [[0], [1], [2], [3]])
    try await outbox.write([4])
    #expect(calls.count == 2)
    #expect(outbox.takeAll() == [[4]])
  }

  @Test func aWriterWaitsWhileTheTargetIsReachedHereAndInTheEngineTogether() async throws {
    let (outbox, calls) = outbox()
    outbox.begin()
    try await outbox.write([1, 2, 3, 4, 5, 6])
    _ = outbox.takeAll()
    outbox.engineHolds(6)
    let isOver = Calls()
    let writer = Task {
      try await outbox.write([7, 8, 9, 10])
      isOver.add()
    }
    await until { calls.count >= 2 }
    #expect(outbox.takeAll() == [[7, 8, 9, 10]])
    outbox.engineHolds(10)
    for _ in 0..<100 { await Task.yield() }
    #expect(isOver.count == 0)
    outbox.engineHolds(9)
    try await writer.value
    #expect(isOver.count == 1)
  }

  @Test func aFailureReachesTheWriterThatWaitsAndThoseThatCome() async throws {
    let (outbox, calls) = outbox()
    outbox.begin()
    let writer = Task { try await outbox.write([UInt8](repeating: 0, count: 10)) }
    await until { calls.count != 0 }
    outbox.fail(TransportError(.connectionLost, "The client is gone."))
    outbox.fail(TransportError(.streamReset, "This comes too late."))
    #expect(try await failureCode { try await writer.value } == .connectionLost)
    #expect(try await failureCode { try await outbox.write([1]) } == .connectionLost)
    #expect(outbox.takeAll().isEmpty)
  }

  @Test func whatWasWrittenBeforeTheEndIsTakenAndWhatComesAfterIsRefused() async throws {
    let (outbox, _) = outbox()
    outbox.begin()
    try await outbox.write([1])
    outbox.finish()
    #expect(outbox.takeAll() == [[1]])
    #expect(try await failureCode { try await outbox.write([2]) } == .connectionLost)
  }

  @Test func aCancelledWriterLeaves() async throws {
    let (outbox, calls) = outbox()
    outbox.begin()
    let writer = Task { try await outbox.write([UInt8](repeating: 0, count: 10)) }
    await until { calls.count != 0 }
    writer.cancel()
    await #expect(throws: CancellationError.self) { try await writer.value }
  }
}
