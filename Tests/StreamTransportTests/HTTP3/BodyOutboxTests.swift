import HTTP3Engine
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
    #expect(outbox.takeAll().chunks == [[0], [1], [2], [3]])
    try await outbox.write([4])
    #expect(calls.count == 2)
    #expect(outbox.takeAll().chunks == [[4]])
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
    #expect(outbox.takeAll().chunks == [[7, 8, 9, 10]])
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

  private static let fields = [HeaderField(":status", "200")]

  /// One wake-up of the loop for a whole response.
  @Test func fieldsBytesAndEndAreTakenTogether() async throws {
    let (outbox, calls) = outbox()
    try outbox.begin(Self.fields)
    try await outbox.write([1])
    try outbox.finish([HeaderField("x-digest", "a")])
    #expect(calls.count == 1)
    let written = outbox.takeAll()
    #expect(written.fields == Self.fields && written.chunks == [[1]])
    #expect(written.end == BodyOutbox.End(trailers: [HeaderField("x-digest", "a")]))
    #expect(outbox.takeAll().isEmpty)
  }

  /// However late the loop looks: a 100 behind the fields would be none.
  @Test func theBodyIsAskedForBeforeTheFields() throws {
    let (outbox, calls) = outbox()
    outbox.askForBody()
    try outbox.begin([HeaderField(":status", "200")])
    outbox.askForBody()
    let written = outbox.takeAll()
    #expect(calls.count == 1 && written.asksForBody && written.fields?.count == 1)
    outbox.askForBody()
    #expect(calls.count == 1 && outbox.takeAll().isEmpty)
  }

  @Test func theLoopHearsOfTheEndThatComesAfterItHasTakenTheRest() throws {
    let (outbox, calls) = outbox()
    try outbox.begin(Self.fields)
    _ = outbox.takeAll()
    try outbox.finish(nil)
    #expect(calls.count == 2)
    #expect(outbox.takeAll() == BodyOutbox.Written(end: BodyOutbox.End(trailers: nil)))
  }

  @Test func whatIsOutOfOrderIsRefused() async throws {
    let (outbox, calls) = outbox()
    #expect(try await failureCode { try outbox.finish(nil) } == .invalidRequest)
    try outbox.begin(Self.fields)
    #expect(try await failureCode { try outbox.begin(Self.fields) } == .invalidRequest)
    try outbox.finish(nil)
    #expect(try await failureCode { try outbox.finish(nil) } == .connectionLost)
    #expect(try await failureCode { try outbox.begin(Self.fields) } == .connectionLost)
    #expect(try await failureCode { try await outbox.write([2]) } == .connectionLost)
    #expect(calls.count == 1)
    // The owner's own mistakes are no failure of the client's.
    #expect(outbox.failure == nil)
  }

  @Test func aFailureDropsWhatWaitsAndRefusesTheRest() async throws {
    let (outbox, _) = outbox()
    try outbox.begin(Self.fields)
    try await outbox.write([1])
    outbox.fail(TransportError(.streamReset, "The client is gone."))
    #expect(outbox.takeAll().isEmpty)
    #expect(outbox.failure?.code == .streamReset)
    #expect(try await failureCode { try outbox.begin(Self.fields) } == .streamReset)
    #expect(try await failureCode { try outbox.finish(nil) } == .streamReset)
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
