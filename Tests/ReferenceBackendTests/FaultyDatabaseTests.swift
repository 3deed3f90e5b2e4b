import EventLedger
import ReferenceBackend
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

/// Turns whose database fails for a while.
@Suite(.timeLimit(.minutes(10)))
struct FaultyDatabaseTests {
  private static let away = LedgerError(.unavailable(mayHaveHappened: false), "away")

  /// The number of failures is set as soon as the turn is claimed.
  @Test func aTurnThatOpensWhileTheDatabaseFailsOpensLater() async throws {
    let failures = Mutex(0)
    let database = try BackendDatabase(path: nil)
    let faulty = FaultyDatabase(try database.storage()) { use in
      switch use {
      case .wrote(let sql): if sql.contains("UPDATE turns SET fence") { failures.withLock { $0 = 3 } }
      case .reading:
        try failures.withLock { left in
          guard left > 0 else { return }
          left -= 1
          throw Self.away
        }
      case .writing, .ledger, .appending: break
      }
    }
    let harness = try await Harness(sharing: faulty.storage(), model: ScriptedModel(words: ["here"]))
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    let events = try await session.eventsOfTurn()
    #expect(events.map(\.type) == ["assistant_text_delta", "turn_complete"] && events.text == "here")
    #expect(failures.withLock { $0 } == 0)
    await harness.core.close()
  }

  /// A model is not held up by a database that takes longer than it does.
  @Test func wordsThatComeWhileOthersAreBeingStoredAreStoredTogether() async throws {
    let isAway = Mutex(false)
    let stored = Mutex<[Int]>([])
    let database = try BackendDatabase(path: nil)
    let slow = FaultyDatabase(try database.storage()) { use in
      guard case .appending(let count) = use else { return }
      if isAway.withLock({ $0 }) { throw Self.away }
      stored.withLock { $0.append(count) }
    }
    let words = (1...40).map { "\($0) " }
    let harness = try await Harness(
      sharing: slow.storage(),
      model: ScriptedModel([
        { _, output in
          isAway.withLock { $0 = true }
          for word in words { try await output(.text(word)) }
          isAway.withLock { $0 = false }
        }
      ]))
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    let events = try await session.eventsOfTurn()
    #expect(
      events.filter { $0.type == "assistant_text_delta" }.compactMap { $0.payload["delta"]?.stringValue } == words)
    #expect(events.last?.type == "turn_complete")
    #expect(stored.withLock { $0.reduce(0, +) } == words.count + 1)
    // The first may have been taken alone.
    #expect(stored.withLock { $0.max() ?? 0 } >= words.count - 1)
    await harness.core.close()
  }

  /// What all messages read in their transactions is in the way of all: a server makes them again and again.
  @Test func aMessageCountsTheTurnsBeforeItsTransaction() async throws {
    let statements = Mutex<[String]>([])
    let database = try BackendDatabase(path: nil)
    let watched = FaultyDatabase(try database.storage()) { use in
      if case .wrote(let sql) = use { statements.withLock { $0.append(sql) } }
    }
    let harness = try await Harness(
      sharing: watched.storage(), model: ScriptedModel(words: ["a"]),
      settings: BackendSettings(turns: TurnLimits(atOnce: 1)))
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    #expect(statements.withLock { $0.contains { $0.contains("INSERT INTO turns") } })
    #expect(!statements.withLock { $0.contains { $0.contains("count(*)") } })
    await harness.core.close()
  }

  /// Each of two processes loses the database for longer than a lease, and the one comes back sooner.
  @Test func whoIsBackFirstAfterAnOutageTakesNoTurnOfTheOthers() async throws {
    let time = SetTime()
    let database = try BackendDatabase(path: nil)
    let storage = try database.storage(now: { time.now })
    let isAway = Mutex<Set<String>>([])
    let clocks = ["owner": SteppedClock(), "other": SteppedClock()]
    func member(_ name: String, _ model: ScriptedModel) async throws -> Harness {
      let faulty = FaultyDatabase(storage) { _ in if isAway.withLock({ $0.contains(name) }) { throw Self.away } }
      return try await Harness(
        sharing: faulty.storage(of: name), model: model, settings: BackendSettings(turnLease: .seconds(40)),
        clock: clocks[name], time: time)
    }
    func goRounds(_ rounds: ClosedRange<Int>, of name: String) async {
      let clock = clocks[name]
      for round in rounds {
        await clock?.waitForSleeper(until: .seconds(10 * round))
        clock?.advance(by: .seconds(10))
      }
      await clock?.waitForSleeper(until: .seconds(10 * (rounds.upperBound + 1)))
    }
    let gate = Gate()
    let owner = try await member(
      "owner",
      ScriptedModel([
        { _, output in
          try await output(.text("half "))
          await gate.wait()
          try await output(.text("more"))
        }
      ]))
    let other = try await member("other", ScriptedModel([]))
    let session = try await owner.openSession()
    try await session.say("x", requestID: "r")
    do {
      var reader = try await session.stream()
      #expect(try await reader.nextEvent()?.payload["delta"] == "half ")
    }
    isAway.withLock { $0 = ["owner", "other"] }
    await goRounds(1...5, of: "other")
    time.advance(by: .seconds(50))
    isAway.withLock { $0 = ["owner"] }
    await goRounds(6...9, of: "other")
    #expect(try await storage.ledger.extents(of: ["session/\(session.id)"]).values.map(\.last) == [1])
    isAway.withLock { $0 = [] }
    await goRounds(1...1, of: "owner")
    await goRounds(10...12, of: "other")
    gate.open()
    await owner.core.turns.waitUntilIdle()
    #expect(try await session.eventsOfTurn().text == "half more")
    await owner.core.close()
    await other.core.close()
  }
}
