import EventLedger
import JSONService
import Logging
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(5))) struct StreamTermTests {
  private let clock = ManualClock()

  /// The events that a stream has written.
  private final class Written: Sendable {
    private let sequences = Mutex<[Int64]>([])

    var all: [Int64] { sequences.withLock { $0 } }

    func take(_ part: ChatStream.Part) {
      if case .events(let events) = part { sequences.withLock { $0 += events.map(\.sequence) } }
    }
  }

  private func term(_ life: Duration?) -> (StreamTerm, AsyncStream<Never>.Continuation) {
    let (ending, continuation) = AsyncStream.makeStream(of: Never.self)
    return (StreamTerm(endings: [ending], tokenLife: life), continuation)
  }

  @Test(arguments: [Duration.seconds(900), .seconds(1), .zero, .seconds(-5)])
  func aTokensEndIsTheStreamsAfterAGrace(life: Duration) async {
    let (term, ending) = term(life)
    let isOver = Mutex(false)
    let waiting = Task { [clock] in
      await term.end(clock)
      isOver.withLock { $0 = true }
    }
    let whole = max(.zero, life) + StreamTerm.grace
    await clock.waitForSleep(of: whole)
    clock.advance(by: whole - .milliseconds(1))
    #expect(!isOver.withLock { $0 })
    clock.advance(by: .milliseconds(1))
    await waiting.value
    ending.finish()
  }

  @Test(arguments: [Duration.seconds(900), nil]) func aRevocationEndsItAtOnce(life: Duration?) async {
    let (term, ending) = term(life)
    async let over: Void = term.end(clock)
    ending.finish()
    await over
    #expect(clock.sleeperCount == 0)
  }

  @Test func aTokenThatDoesNotExpireEndsNothing() async {
    let (term, ending) = term(nil)
    let waiting = Task { [clock] in await term.end(clock) }
    await Task.yield()
    #expect(clock.sleeperCount == 0)
    waiting.cancel()
    await waiting.value
    ending.finish()
  }

  /// The client comes back with a new token and its cursor, and misses nothing.
  @Test func aStreamEndsWithItsTokenAndContinuesWithTheNext() async throws {
    let ledger = try SQLiteEventLedger.open(path: nil)
    let log = try await ChatLog(
      "c", ledger: ledger, now: { .current }, clock: InstantClock(), logger: Logger(label: "test"))
    let seats = StreamSeats(limitPerClient: 16, limit: 512)
    func stream(after cursor: Int64, _ life: Duration) throws -> ChatStream {
      ChatStream(
        chatID: "c", cursor: cursor, open: [], feed: LedgerFeed(ledger, clock: InstantClock()), now: { .current },
        clock: clock, keepAlive: .seconds(100_000), term: term(life).0, logger: Logger(label: "test"),
        seat: try #require(seats.take(for: "d")), budget: StreamBudget(bytes: 1 << 20))
    }
    let written = Written()
    func run(_ stream: ChatStream) -> Task<Void, any Error> { Task { try await stream.run { written.take($0) } } }
    let first = run(try stream(after: 0, .seconds(10)))
    await log.publish(ChatEvent(.turnStarted, ["threadId": "c", "turn": ["id": "t"]]))
    await until { written.all.count == 1 }
    await clock.waitForSleep(of: .seconds(70))
    clock.advance(by: .seconds(70))
    try await first.value
    #expect(seats.count == 0)
    await log.publish(ChatEvent(.turnCompleted, ["threadId": "c", "turn": ["id": "t"]]))
    await log.drain()
    let cursor = try #require(written.all.last)
    let second = run(try stream(after: cursor, .seconds(20)))
    await until { written.all.count == 2 }
    #expect(written.all == [1, 2])
    await clock.waitForSleep(of: .seconds(80))
    clock.advance(by: .seconds(80))
    try await second.value
  }

  @Test func whatAStreamHoldsForASlowClientIsCounted() async throws {
    let ledger = try SQLiteEventLedger.open(path: nil)
    let log = try await ChatLog(
      "c", ledger: ledger, now: { .current }, clock: InstantClock(), logger: Logger(label: "test"))
    let budget = StreamBudget(bytes: 64 << 20)
    let stream = ChatStream(
      chatID: "c", cursor: 0, open: [], feed: LedgerFeed(ledger, clock: InstantClock()), now: { .current },
      clock: clock, keepAlive: .seconds(100_000), term: term(nil).0, logger: Logger(label: "test"),
      seat: try #require(StreamSeats(limitPerClient: 1, limit: 1).take(for: "d")), budget: budget)
    let gate = Gate()
    let run = Task {
      try await stream.run { part in
        if case .events = part { await gate.wait() }
      }
    }
    await log.publish(ChatEvent(.turnStarted, ["threadId": .string(String(repeating: "c", count: 100_000))]))
    // Twice: as an event, and as what is being written.
    await until { budget.bytes > 150_000 }
    gate.open()
    await until { budget.bytes == 0 }
    run.cancel()
    _ = await run.result
  }
}
