import EventLedger
import GRDB
import LedgerModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AppendQueueTests {
  private let clock = ManualClock()
  private let ledger: GatedLedger
  private let lease: LedgerLease

  init() async throws {
    ledger = GatedLedger(try SQLiteEventLedger(try DatabaseQueue()))
    lease = try await ledger.lease("s", to: "one", for: .seconds(1_000))
  }

  private func queue(_ limits: AppendLimits = AppendLimits()) -> AppendQueue {
    AppendQueue(ledger, limits: limits, clock: clock)
  }

  /// Begins an append, and returns once the queue has it.
  private func begin(
    _ word: String, in queue: AppendQueue, under lease: LedgerLease? = nil, key: String? = nil
  ) async -> Task<AppendReceipt, any Error> {
    let before = queue.load.appends
    let task = Task { [lease = lease ?? self.lease] in
      try await queue.append([LedgerDraft(type: "t", payload: Array(word.utf8))], under: lease, key: key)
    }
    while queue.load.appends == before { await Task.yield() }
    return task
  }

  private func words(_ stream: String = "s") async throws -> [String] {
    try await ledger.events(of: stream, after: 0, limit: 1_000).map { String(decoding: $0.payload, as: UTF8.self) }
  }

  private func code(_ task: Task<AppendReceipt, any Error>) async -> LedgerError.Code? {
    switch await task.result {
    case .success: nil
    case .failure(let error): (error as? LedgerError)?.code
    }
  }

  @Test func whatComesWhileATransactionIsWrittenSharesTheNextInOrder() async throws {
    let queue = queue()
    let first = await begin("0", in: queue)
    #expect(await ledger.nextBatch().count == 1)
    var others: [Task<AppendReceipt, any Error>] = []
    for index in 1...20 { others.append(await begin("\(index)", in: queue)) }
    ledger.letGo()
    #expect(try await first.value.sequences == 1...1)
    #expect(await ledger.nextBatch().count == 20)
    ledger.letGo()
    for (index, task) in others.enumerated() {
      let sequence = Int64(index) + 2
      #expect(try await task.value.sequences == sequence...sequence)
    }
    #expect(try await words() == (0...20).map { "\($0)" })
    #expect(queue.load == (0, 0))
  }

  @Test func aTransactionIsBoundedByCountAndBytes() async throws {
    for limits in [AppendLimits(batchAppends: 3), AppendLimits(batchBytes: 3 * 98)] {
      let queue = queue(limits)
      var tasks = [await begin("x", in: queue)]
      _ = await ledger.nextBatch()
      for _ in 0..<7 { tasks.append(await begin("x", in: queue)) }
      for expected in [3, 3, 1] {
        ledger.letGo()
        #expect(await ledger.nextBatch().count == expected)
      }
      ledger.letGo()
      for task in tasks { _ = try await task.value }
    }
  }

  @Test func aLostLeaseFailsItsOwnStreamAlone() async throws {
    let other = try await ledger.lease("t", to: "one", for: .seconds(1_000))
    let queue = queue()
    let blocker = await begin("0", in: queue)
    _ = await ledger.nextBatch()
    let own = await begin("1", in: queue)
    let others = await begin("2", in: queue, under: other)
    // The holder itself takes a newer lease, as its restarted process would.
    _ = try await ledger.lease("s", to: "one", for: .seconds(1_000))
    ledger.letGo()
    #expect(await code(blocker) == .fenced)
    _ = await ledger.nextBatch()
    ledger.letGo()
    #expect(await code(own) == .fenced)
    #expect(try await others.value.sequences == 1...1)
    #expect(try await words("t") == ["2"])
    #expect(try await words() == [])
  }

  @Test func whatWaitsIsBounded() async throws {
    let queue = queue(AppendLimits(queuedAppends: 3, queuedBytes: 2 * 98 + 97))
    let tasks = [await begin("x", in: queue), await begin("x", in: queue)]
    // A third of 98 bytes is too large; one without payload is not, and a fourth is one too many.
    await #expect(throws: LedgerError.self) {
      try await queue.append([LedgerDraft(type: "t", payload: [1])], under: lease, key: nil)
    }
    let third = await begin("", in: queue)
    await #expect(throws: LedgerError.self) {
      try await queue.append([LedgerDraft(type: "t", payload: [])], under: lease, key: nil)
    }
    _ = await ledger.nextBatch()
    ledger.letGo()
    _ = await ledger.nextBatch()
    ledger.letGo()
    for task in tasks + [third] { _ = try await task.value }
    #expect(queue.load == (0, 0))
  }

  @Test func aFailureWhoseOutcomeIsUnknownIsTriedAgainOnlyUnderAKey() async throws {
    let queue = queue(AppendLimits(attempts: 3, pause: .seconds(1)))
    let blocker = await begin("0", in: queue)
    _ = await ledger.nextBatch()
    let keyed = await begin("keyed", in: queue, key: "k")
    let bare = await begin("bare", in: queue)
    ledger.letGo()
    _ = try await blocker.value
    _ = await ledger.nextBatch()
    ledger.letGo(.fails(LedgerError(.unavailable(mayHaveHappened: true), "cut"), isStored: true))
    #expect(await code(bare) == .unavailable(mayHaveHappened: true))
    await clock.waitForSleep(of: .seconds(1))
    let later = await begin("later", in: queue)
    clock.advance(by: .seconds(1))
    #expect(await ledger.nextBatch().map(\.key) == ["k", nil])
    ledger.letGo()
    let receipt = try await keyed.value
    #expect(receipt.isRepeat && receipt.sequences == 2...2)
    #expect(try await later.value.sequences == 4...4)
    #expect(try await words() == ["0", "keyed", "bare", "later"])
  }

  @Test func aBusyDatabaseIsTriedAgainWithLongerPausesAndThenReported() async throws {
    let queue = queue(AppendLimits(attempts: 4, pause: .seconds(1), longestPause: .seconds(3)))
    let busy = GatedLedger.Outcome.fails(LedgerError(.unavailable(mayHaveHappened: false), "busy"), isStored: false)
    let task = await begin("x", in: queue)
    for pause in [1, 2, 3] {
      _ = await ledger.nextBatch()
      ledger.letGo(busy)
      await clock.waitForSleep(of: .seconds(pause))
      clock.advance(by: .seconds(pause))
    }
    _ = await ledger.nextBatch()
    ledger.letGo(busy)
    #expect(await code(task) == .unavailable(mayHaveHappened: false))
    let broken = await begin("y", in: queue)
    _ = await ledger.nextBatch()
    ledger.letGo(.fails(LedgerError(.database, "full"), isStored: false))
    #expect(await code(broken) == .database)
    let next = await begin("z", in: queue)
    _ = await ledger.nextBatch()
    ledger.letGo()
    #expect(try await next.value.sequences == 1...1)
  }

  @Test func aCancelledAppendThatWaitsIsTakenBackAndOneThatIsWrittenIsCompleted() async throws {
    let queue = queue()
    let written = await begin("written", in: queue)
    _ = await ledger.nextBatch()
    let waiting = await begin("waiting", in: queue)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    written.cancel()
    ledger.letGo()
    #expect(try await written.value.sequences == 1...1)
    #expect(try await words() == ["written"])
    #expect(queue.load == (0, 0))
  }
}
