import EventLedger
import GRDB
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventLedgerTests {
  private let clock = ManualClock()
  private let database: DatabaseQueue
  private let ledger: any EventLedger

  init() throws {
    database = try DatabaseQueue()
    ledger = try SQLiteEventLedger(database, now: { [clock] in WallTime(microseconds: 0) + clock.now.offset })
  }

  private func drafts(_ words: String...) -> [LedgerDraft] {
    words.map { LedgerDraft(type: "word", payload: Array($0.utf8)) }
  }

  private func code(_ body: () async throws -> Void) async -> LedgerError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  @Test func concurrentAppendsLeaveNoGapInAnyStream() async throws {
    let leases = [
      try await ledger.lease("a", to: "one", for: .seconds(10)),
      try await ledger.lease("b", to: "one", for: .seconds(10)),
    ]
    let receipts = try await withThrowingTaskGroup(of: (Int, AppendReceipt).self) { group in
      for index in 0..<100 {
        group.addTask { [ledger] in
          let word = LedgerDraft(type: "word", payload: [UInt8(index)])
          return (index, try await ledger.append([word, word], under: leases[index % 2], key: nil))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for lease in leases {
      let events = try await ledger.events(of: lease.stream, after: 0, limit: 1_000)
      #expect(events.map(\.sequence) == Array(1...100))
    }
    for (index, receipt) in receipts {
      let own = try await ledger.events(
        of: leases[index % 2].stream, after: receipt.sequences.lowerBound - 1, limit: receipt.sequences.count)
      #expect(own.map(\.payload) == [[UInt8(index)], [UInt8(index)]])
    }
  }

  @Test func anOlderLeaseIsRefusedAndAnExpiredOneWithoutSuccessorIsNot() async throws {
    let first = try await ledger.lease("s", to: "one", for: .seconds(10))
    clock.advance(by: .seconds(20))
    _ = try await ledger.append(drafts("late"), under: first, key: nil)
    let second = try await ledger.lease("s", to: "two", for: .seconds(10))
    #expect(second.fence > first.fence)
    #expect(await code { _ = try await ledger.append(drafts("x"), under: first, key: nil) } == .fenced)
    #expect(await code { _ = try await ledger.renew(first, for: .seconds(10)) } == .fenced)
    _ = try await ledger.release(first)
    #expect(
      await code { _ = try await ledger.lease("s", to: "three", for: .seconds(1)) } == .leased(until: second.expiry))
    #expect(try await ledger.events(of: "s", after: 0, limit: 10).map(\.fence) == [first.fence])
  }

  @Test func aLeaseIsGivenWhereItIsFreeExpiredOrOnesOwn() async throws {
    let first = try await ledger.lease("s", to: "one", for: .seconds(10))
    #expect(
      await code { _ = try await ledger.lease("s", to: "two", for: .seconds(10)) } == .leased(until: first.expiry))
    let again = try await ledger.lease("s", to: "one", for: .seconds(10))
    clock.advance(by: .seconds(9))
    let renewed = try await ledger.renew(again, for: .seconds(10))
    clock.advance(by: .seconds(9))
    #expect(
      await code { _ = try await ledger.lease("s", to: "two", for: .seconds(1)) } == .leased(until: renewed.expiry))
    try await ledger.release(renewed)
    let other = try await ledger.lease("s", to: "two", for: .seconds(1))
    #expect(try await ledger.abandonedStreams(limit: 10).isEmpty)
    clock.advance(by: .seconds(1))
    #expect(try await ledger.abandonedStreams(limit: 10) == ["s"])
    #expect(try await ledger.lease("s", to: "three", for: .seconds(1)).fence == other.fence + 1)
  }

  @Test func aReleasedLeaseNeitherAppendsNorComesBack() async throws {
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    try await ledger.release(lease)
    try await ledger.release(lease)
    #expect(await code { _ = try await ledger.append(drafts("x"), under: lease, key: nil) } == .fenced)
    #expect(await code { _ = try await ledger.renew(lease, for: .seconds(10)) } == .fenced)
    clock.advance(by: .seconds(20))
    #expect(try await ledger.abandonedStreams(limit: 10).isEmpty)
    #expect(try await ledger.lease("s", to: "two", for: .seconds(10)).fence == lease.fence + 2)
  }

  @Test func aDatabaseThatFailsIsALedgerError() async throws {
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    try database.close()
    #expect(await code { _ = try await ledger.append(drafts("x"), under: lease, key: nil) } == .database)
    #expect(await code { _ = try await ledger.extent(of: "s") } == .database)
  }

  @Test func aRepeatedKeyAppendsNothingAndOtherEventsUnderItAreRefused() async throws {
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    let first = try await ledger.append(drafts("a", "b"), under: lease, key: "k")
    let again = try await ledger.append(drafts("a", "b"), under: lease, key: "k")
    #expect(again.sequences == first.sequences)
    #expect(again.isRepeat && !first.isRepeat)
    // The same bytes, divided otherwise.
    #expect(await code { _ = try await ledger.append(drafts("ab", ""), under: lease, key: "k") } == .keyReused)
    #expect(try await ledger.extent(of: "s").last == 2)
    let other = try await ledger.lease("t", to: "one", for: .seconds(10))
    #expect(try await ledger.append(drafts("a", "b"), under: other, key: "k").isRepeat == false)
    try await ledger.trim("s", through: 2)
    #expect(try await ledger.append(drafts("c"), under: lease, key: "k").sequences == 3...3)
  }

  @Test func aCursorOutsideTheStreamIsRefused() async throws {
    #expect(await code { _ = try await ledger.events(of: "s", after: 0, limit: 1) } == .unknownStream)
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await ledger.append(drafts("a", "b", "c"), under: lease, key: nil)
    try await ledger.trim("s", through: 2)
    try await ledger.trim("s", through: 1)
    #expect(await code { _ = try await ledger.events(of: "s", after: 1, limit: 1) } == .trimmed(floor: 2))
    #expect(await code { _ = try await ledger.events(of: "s", after: 4, limit: 1) } == .cursorAhead(last: 3))
    #expect(try await ledger.events(of: "s", after: 2, limit: 5).map(\.sequence) == [3])
    #expect(try await ledger.events(of: "s", after: 3, limit: 5).isEmpty)
  }

  @Test func sweepingFreesWhatWasDroppedInSteps() async throws {
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await ledger.append(drafts("a", "b", "c", "d", "e"), under: lease, key: "k")
    try await ledger.trim("s", through: 3)
    #expect(try await ledger.sweep(limit: 2) == 2)
    #expect(try await ledger.sweep(limit: 2) == 1)
    #expect(try await ledger.sweep(limit: 2) == 0)
    #expect(try await ledger.append(drafts("a", "b", "c", "d", "e"), under: lease, key: "k").isRepeat)
    try await ledger.delete("s")
    #expect(await code { _ = try await ledger.append(drafts("x"), under: lease, key: nil) } == .deletedStream)
    #expect(await code { _ = try await ledger.events(of: "s", after: 0, limit: 1) } == .deletedStream)
    #expect(await code { _ = try await ledger.lease("s", to: "one", for: .seconds(1)) } == .deletedStream)
    #expect(try await ledger.sweep(limit: 100) == 2)
    let left = try await database.read { database in
      try Int.fetchOne(
        database, sql: "SELECT (SELECT count(*) FROM ledger_events) + (SELECT count(*) FROM ledger_keys)")
    }
    #expect(left == 0)
  }

  @Test func anyBytesComeBackAndWhatExceedsALimitIsRefused() async throws {
    let lease = try await ledger.lease("ä'\"; --\n", to: "one", for: .seconds(10))
    let odd = LedgerDraft(type: "o'dd", payload: [0, 0xFF, 0xC0, 0])
    _ = try await ledger.append([odd, LedgerDraft(type: "none", payload: [])], under: lease, key: "'")
    #expect(try await ledger.events(of: lease.stream, after: 0, limit: 9).map(\.payload) == [odd.payload, []])
    let large = LedgerDraft(type: "x", payload: Array(repeating: 1, count: LedgerLimits.payloadBytes))
    _ = try await ledger.append([large, large], under: lease, key: nil)
    #expect(try await ledger.events(of: lease.stream, after: 2, limit: 9).count == 1)
    let refused: [[LedgerDraft]] = [
      [], Array(repeating: odd, count: LedgerLimits.appendEvents + 1), Array(repeating: large, count: 5),
      [LedgerDraft(type: "x", payload: large.payload + [1])], [LedgerDraft(type: "", payload: [])],
    ]
    for drafts in refused {
      #expect(await code { _ = try await ledger.append(drafts, under: lease, key: nil) } == .invalid)
    }
    for name in ["", "a\0b", String(repeating: "n", count: LedgerLimits.nameBytes + 1)] {
      #expect(await code { _ = try await ledger.lease(name, to: "one", for: .seconds(1)) } == .invalid)
      #expect(await code { _ = try await ledger.lease("s", to: name, for: .seconds(1)) } == .invalid)
      #expect(await code { _ = try await ledger.append([odd], under: lease, key: name) } == .invalid)
      #expect(await code { _ = try await ledger.events(of: name, after: 0, limit: 1) } == .invalid)
    }
  }

  @Test func anotherLedgerOnTheDatabaseContinuesAndALaterVersionsDatabaseIsRefused() async throws {
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await ledger.append(drafts("a"), under: lease, key: "k")
    let again = try SQLiteEventLedger(database, now: { [clock] in WallTime(microseconds: 0) + clock.now.offset })
    #expect(try await again.append(drafts("a"), under: lease, key: "k").isRepeat)
    #expect(try await again.append(drafts("b"), under: lease, key: nil).sequences == 2...2)
    try await database.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later time')")
    }
    let error = #expect(throws: LedgerError.self) { try SQLiteEventLedger(database) }
    #expect(error?.message.contains("of a later time") == true)
  }
}
