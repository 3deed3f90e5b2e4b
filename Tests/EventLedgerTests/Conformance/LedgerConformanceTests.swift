import EventLedger
import Synchronization
import TestSupport
import Testing

/// The rules of every ledger, whatever engine is beneath it.
@Suite(.timeLimit(.minutes(10)))
struct LedgerConformanceTests {
  private func drafts(_ words: String...) -> [LedgerDraft] {
    words.map { LedgerDraft(type: "word", payload: Array($0.utf8)) }
  }

  private func code(_ body: () async throws -> Void) async -> LedgerError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  @Test(arguments: LedgerKind.allCases) func concurrentAppendsLeaveNoGapInAnyStream(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
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

  @Test(arguments: LedgerKind.allCases) func anOlderLeaseIsRefusedAndAnExpiredOneWithoutSuccessorIsNot(
    _ kind: LedgerKind
  ) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let first = try await ledger.lease("s", to: "one", for: .seconds(10))
    try await under.advance(by: .seconds(20))
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

  @Test(arguments: LedgerKind.allCases) func aLeaseIsGivenWhereItIsFreeExpiredOrOnesOwn(_ kind: LedgerKind) async throws
  {
    let under = try await kind.make()
    let ledger = under.ledger
    let first = try await ledger.lease("s", to: "one", for: .seconds(10))
    #expect(
      await code { _ = try await ledger.lease("s", to: "two", for: .seconds(10)) } == .leased(until: first.expiry))
    let again = try await ledger.lease("s", to: "one", for: .seconds(10))
    try await under.advance(by: .seconds(9))
    let renewed = try await ledger.renew(again, for: .seconds(10))
    try await under.advance(by: .seconds(9))
    #expect(
      await code { _ = try await ledger.lease("s", to: "two", for: .seconds(1)) } == .leased(until: renewed.expiry))
    try await ledger.release(renewed)
    let other = try await ledger.lease("s", to: "two", for: .seconds(1))
    #expect(try await ledger.abandonedStreams(prefix: "", limit: 10).isEmpty)
    try await under.advance(by: .seconds(1))
    #expect(try await ledger.abandonedStreams(prefix: "s", limit: 10) == ["s"])
    // Other programs' streams take nobody's place.
    for name in ["t", "ts", "sa"] { _ = try await ledger.lease(name, to: "two", for: .seconds(0)) }
    #expect(try await ledger.abandonedStreams(prefix: "t", limit: 2).sorted() == ["t", "ts"])
    #expect(try await ledger.lease("s", to: "three", for: .seconds(1)).fence == other.fence + 1)
  }

  @Test(arguments: LedgerKind.allCases) func aReleasedLeaseNeitherAppendsNorComesBack(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    try await ledger.release(lease)
    try await ledger.release(lease)
    #expect(await code { _ = try await ledger.append(drafts("x"), under: lease, key: nil) } == .fenced)
    #expect(await code { _ = try await ledger.renew(lease, for: .seconds(10)) } == .fenced)
    try await under.advance(by: .seconds(20))
    #expect(try await ledger.abandonedStreams(prefix: "", limit: 10).isEmpty)
    #expect(try await ledger.lease("s", to: "two", for: .seconds(10)).fence == lease.fence + 2)
  }

  @Test(arguments: LedgerKind.allCases) func aRepeatedKeyAppendsNothingAndOtherEventsUnderItAreRefused(
    _ kind: LedgerKind
  ) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
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

  @Test(arguments: LedgerKind.allCases) func aCursorOutsideTheStreamIsRefused(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
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

  @Test(arguments: LedgerKind.allCases) func sweepingFreesWhatWasDroppedInSteps(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
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
    #expect(try await ledger.sweep(limit: 100) == 0)
    #expect(try await under.storedRows() == 0)
  }

  @Test(arguments: LedgerKind.allCases) func anyBytesComeBackAndWhatExceedsALimitIsRefused(
    _ kind: LedgerKind
  ) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let lease = try await ledger.lease("a'\"; --\n", to: "one", for: .seconds(10))
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
    for name in ["ä", "e\u{301}"] {
      #expect(await code { _ = try await ledger.lease(name, to: "one", for: .seconds(1)) } == .invalid)
    }
    for name in ["", "a\0b", String(repeating: "n", count: LedgerLimits.nameBytes + 1)] {
      #expect(await code { _ = try await ledger.lease(name, to: "one", for: .seconds(1)) } == .invalid)
      #expect(await code { _ = try await ledger.lease("s", to: name, for: .seconds(1)) } == .invalid)
      #expect(await code { _ = try await ledger.append([odd], under: lease, key: name) } == .invalid)
      #expect(await code { _ = try await ledger.events(of: name, after: 0, limit: 1) } == .invalid)
    }
  }

  @Test(arguments: LedgerKind.allCases)
  func aBatchGivesEachAppendItsOwnReceiptOrError(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let old = try await ledger.lease("s", to: "one", for: .seconds(10))
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    let other = try await ledger.lease("t", to: "one", for: .seconds(10))
    let gone = try await ledger.lease("u", to: "one", for: .seconds(10))
    try await ledger.delete("u")
    let results = try await ledger.append([
      LedgerAppend(drafts("a", "b"), under: lease, key: "k"), LedgerAppend(drafts("x"), under: old, key: nil),
      LedgerAppend(drafts("c"), under: other, key: nil), LedgerAppend([], under: lease, key: nil),
      LedgerAppend(drafts("a", "b"), under: lease, key: "k"), LedgerAppend(drafts("d"), under: lease, key: "k"),
      LedgerAppend(drafts("x"), under: gone, key: nil), LedgerAppend(drafts("e"), under: lease, key: nil),
    ])
    let outcomes = results.map { result -> String in
      switch result {
      case .success(let receipt): "\(receipt.sequences)\(receipt.isRepeat ? " again" : "")"
      case .failure(let error): "\(error.code)"
      }
    }
    #expect(
      outcomes == ["1...2", "fenced", "1...1", "invalid", "1...2 again", "keyReused", "deletedStream", "3...3"])
    let words = try await ledger.events(of: "s", after: 0, limit: 9).map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(words == ["a", "b", "e"])
    #expect(try await ledger.append([]).isEmpty)
  }

  @Test(arguments: LedgerKind.allCases)
  func extentsAreThoseOfTheStreamsThatExist(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    for stream in ["a", "b", "gone"] {
      let lease = try await ledger.lease(stream, to: "one", for: .seconds(10))
      _ = try await ledger.append(drafts("x", "y", "z"), under: lease, key: nil)
    }
    try await ledger.trim("b", through: 2)
    try await ledger.delete("gone")
    let extents = try await ledger.extents(of: ["a", "b", "gone", "never", ""])
    #expect(extents == ["a": LedgerExtent(floor: 0, last: 3), "b": LedgerExtent(floor: 2, last: 3)])
    #expect(try await ledger.extents(of: []).isEmpty)
  }

  @Test(arguments: LedgerKind.allCases)
  func changesAreReportedOnceTheyAreThere(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let heard = Mutex<[LedgerChange]>([])
    let subscription = ledger.news.subscribe { change in heard.withLock { $0.append(change) } }
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await ledger.append(drafts("a", "b"), under: lease, key: nil)
    try await ledger.trim("s", through: 1)
    try await ledger.delete("s")
    let expected: [LedgerChange] = [
      .appended(stream: "s", last: 2), .trimmed(stream: "s", floor: 1), .deleted(stream: "s"),
    ]
    // News may come twice: by the ledger itself, and by its database.
    let first = heard.withLock { changes in
      changes.reduce(into: [LedgerChange]()) { if expected.contains($1), !$0.contains($1) { $0.append($1) } }
    }
    #expect(first == expected)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: LedgerKind.allCases)
  func whatAnotherLedgerOnTheDatabaseDoesIsSeen(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let other = try await under.another()
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await ledger.append(drafts("a"), under: lease, key: "k")
    #expect(try await other.append(drafts("a"), under: lease, key: "k").isRepeat)
    #expect(try await other.append(drafts("b"), under: lease, key: nil).sequences == 2...2)
    #expect(try await ledger.identity() == other.identity())
    #expect(await code { _ = try await other.lease("s", to: "two", for: .seconds(1)) } == .leased(until: lease.expiry))
    let successor = try await other.lease("s", to: "one", for: .seconds(10))
    #expect(await code { _ = try await ledger.append(drafts("c"), under: lease, key: nil) } == .fenced)
    // Both write at once, each under its own stream's lease and the same one.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<40 {
        group.addTask {
          _ = try await (index % 2 == 0 ? ledger : other).append(drafts("\(index)"), under: successor, key: "n\(index)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await other.events(of: "s", after: 0, limit: 100).map(\.sequence) == Array(1...42))
  }

  @Test(arguments: LedgerKind.allCases)
  func aFeedFollowsAndAQueueWrites(_ kind: LedgerKind) async throws {
    let under = try await kind.make()
    let ledger = under.ledger
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    let feed = LedgerFeed(ledger)
    let queue = AppendQueue(ledger)
    try await withThrowingTaskGroup(of: [Int64].self) { group in
      for _ in 0..<10 {
        group.addTask { try await feed.follow("s", after: 0).prefix(200).reduce(into: []) { $0.append($1.sequence) } }
      }
      for index in 0..<200 {
        group.addTask {
          _ = try await queue.append(drafts("\(index)"), under: lease, key: nil)
          return Array(1...200)
        }
      }
      for try await numbers in group { #expect(numbers == Array(1...200)) }
    }
    feed.close()
  }
}
