import EventLedger
import GRDB
import LedgerModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LedgerFeedTests {
  private let clock = ManualClock()
  private let database: DatabaseQueue
  private let ledger: CountingLedger
  private let lease: LedgerLease
  private static let limits = FeedLimits(pollInterval: .seconds(1), readers: 100, tailEvents: 8, pageEvents: 4)

  init() async throws {
    database = try DatabaseQueue()
    ledger = CountingLedger(try SQLiteEventLedger(database))
    lease = try await ledger.lease("s", to: "one", for: .seconds(1_000))
  }

  private func feed(_ limits: FeedLimits = limits) -> LedgerFeed { LedgerFeed(ledger, limits: limits, clock: clock) }

  @discardableResult
  private func append(_ count: Int = 1, to other: (any EventLedger)? = nil) async throws -> AppendReceipt {
    let draft = LedgerDraft(type: "t", payload: [1])
    return try await (other ?? ledger).append(Array(repeating: draft, count: count), under: lease, key: nil)
  }

  private func numbers(_ count: Int, of events: inout FollowedStream.AsyncIterator) async throws -> [Int64] {
    var numbers: [Int64] = []
    while numbers.count < count, let event = try await events.next() { numbers.append(event.sequence) }
    return numbers
  }

  private func code(_ events: inout FollowedStream.AsyncIterator) async -> LedgerError.Code? {
    do {
      _ = try await events.next()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  @Test func whatIsThereComesFirstAndAppendsWakeWithoutAPoll() async throws {
    try await append(10)
    let feed = feed()
    var events = feed.follow("s", after: 3).makeAsyncIterator()
    #expect(try await numbers(7, of: &events) == Array(4...10))
    for next in Int64(11)...30 {
      async let appended = append()
      #expect(try await events.next()?.sequence == next)
      _ = try await appended
    }
    #expect(clock.now.offset == .zero)
  }

  @Test func manyReadersOfOneStreamShareTheReads() async throws {
    try await append()
    let feed = LedgerFeed(ledger, limits: FeedLimits(restPerReader: .zero), clock: clock)
    let events = 200
    try await withThrowingTaskGroup(of: [Int64].self) { group in
      for _ in 0..<50 {
        group.addTask {
          var events = feed.follow("s", after: 0).makeAsyncIterator()
          return try await numbers(201, of: &events)
        }
      }
      for _ in 0..<events { try await append() }
      for try await taken in group { #expect(taken == Array(1...201)) }
    }
    // 50 readers by themselves would read 10 000 times.
    #expect(ledger.reads < 1_000)
    #expect(feed.load == FeedLoad(readers: 0, streams: 0, bytes: 0))
  }

  @Test func whatComesWithinARestIsHandedOnInOnePiece() async throws {
    let feed = feed(FeedLimits(pollInterval: .seconds(100), restPerReader: .milliseconds(5)))
    let reading = Task {
      var events = feed.follow("s", after: 0).makeAsyncIterator()
      let pages = [try await events.nextPage(), try await events.nextPage()]
      return pages.map { $0?.map(\.sequence) }
    }
    await clock.waitForSleep(of: .seconds(100))
    try await append()
    await clock.waitForSleep(of: .milliseconds(5))
    for _ in 0..<3 { try await append() }
    clock.advance(by: .milliseconds(5))
    #expect(try await reading.value == [[1], [2, 3, 4]])
  }

  @Test func aPollFindsWhatAnotherProcessAppended() async throws {
    // A ledger of its own on the same database: its news does not come here.
    let other = try SQLiteEventLedger(database)
    let feed = feed()
    for next in Int64(1)...5 {
      let reading = Task { try await feed.follow("s", after: next - 1).first { _ in true }?.sequence }
      await clock.waitForSleep(of: .seconds(1))
      try await append(to: other)
      clock.advance(by: .seconds(1))
      #expect(try await reading.value == next)
    }
  }

  @Test func nobodyIsAskedWhenNobodyWaits() async throws {
    let feed = feed()
    let reading = Task {
      var events = feed.follow("s", after: 0).makeAsyncIterator()
      return try await events.next()?.sequence
    }
    await clock.waitForSleep(of: .seconds(1))
    try await append()
    #expect(try await reading.value == 1)
    let asked = ledger.questions
    clock.advance(by: .seconds(1))
    // The poll that finds nobody ends the polling; a reader that waits later begins it again.
    let again = Task {
      var events = feed.follow("s", after: 1).makeAsyncIterator()
      return try await events.next()?.sequence
    }
    await clock.waitForSleep(of: .seconds(1))
    #expect(ledger.questions == asked)
    again.cancel()
    await #expect(throws: CancellationError.self) { try await again.value }
  }

  @Test func aCursorOutsideTheStreamIsReportedAsSuch() async throws {
    try await append(10)
    try await ledger.trim("s", through: 5)
    let feed = feed()
    let cases: [(String, Int64, LedgerError.Code)] = [
      ("s", 4, .trimmed(floor: 5)), ("s", .min, .trimmed(floor: 5)), ("s", 11, .cursorAhead(last: 10)),
      ("s", .max, .cursorAhead(last: 10)), ("t", 0, .unknownStream), ("", 0, .invalid),
    ]
    // Both where the end is known to the feed and where it is not.
    for isKnown in [false, true] {
      let waiting = isKnown ? Task { try await feed.follow("s", after: 10).first { _ in true } } : nil
      if isKnown { await clock.waitForSleep(of: .seconds(1)) }
      for (stream, cursor, expected) in cases {
        var events = feed.follow(stream, after: cursor).makeAsyncIterator()
        #expect(await code(&events) == expected)
        #expect(try await events.next() == nil)
      }
      waiting?.cancel()
      _ = await waiting?.result
    }
  }

  @Test func aSlowReaderReadsPagesAndLearnsWhenRetentionOvertakesIt() async throws {
    try await append()
    let feed = feed()
    var slow = feed.follow("s", after: 0).makeAsyncIterator()
    #expect(try await slow.next()?.sequence == 1)
    var quick = feed.follow("s", after: 1).makeAsyncIterator()
    for _ in 0..<10 {
      try await append(5)
      _ = try await numbers(5, of: &quick)
    }
    #expect(feed.load.bytes <= 8 * 200)
    #expect(try await numbers(30, of: &slow) == Array(2...31))
    try await ledger.trim("s", through: 45)
    // What it has read ahead is its own; then it meets the floor.
    var last: Int64 = 31
    do {
      while let event = try await slow.next() {
        #expect(event.sequence == last + 1)
        last = event.sequence
      }
      Issue.record("no error")
    } catch let error as LedgerError { #expect(error.code == .trimmed(floor: 45)) }
    #expect(last < 45)
  }

  @Test func readersEndWhenTheStreamIsDeletedHereOrElsewhere() async throws {
    let feed = feed()
    for (stream, isElsewhere) in [("here", false), ("elsewhere", true)] {
      _ = try await ledger.lease(stream, to: "one", for: .seconds(10))
      let reading = Task { try await feed.follow(stream, after: 0).reduce(0) { count, _ in count + 1 } }
      await clock.waitForSleep(of: .seconds(1))
      try await isElsewhere ? SQLiteEventLedger(database).delete(stream) : ledger.delete(stream)
      if isElsewhere { clock.advance(by: .seconds(1)) }
      #expect(try await reading.value == 0)
      #expect(try await feed.follow(stream, after: 0).first { _ in true } == nil)
      clock.advance(by: .seconds(1))
    }
  }

  @Test func closingEndsReadersOnceTheyHaveWhatIsThere() async throws {
    try await append(3)
    let feed = feed()
    let reading = Task { try await feed.follow("s", after: 0).reduce(0) { count, _ in count + 1 } }
    await clock.waitForSleep(of: .seconds(1))
    feed.close()
    #expect(try await reading.value == 3)
    #expect(try await feed.follow("s", after: 1).reduce(0) { count, _ in count + 1 } == 2)
    #expect(try await feed.follow("s", after: 3).first { _ in true } == nil)
  }

  @Test func readersAreBoundedAndACancelledOneLeavesItsPlace() async throws {
    let feed = feed(FeedLimits(pollInterval: .seconds(1), readers: 1))
    let reading = Task { try await feed.follow("s", after: 0).first { _ in true } }
    await clock.waitForSleep(of: .seconds(1))
    var refused = feed.follow("s", after: 0).makeAsyncIterator()
    #expect(await code(&refused) == .exhausted)
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    #expect(feed.load.readers == 0)
    try await append()
    #expect(try await feed.follow("s", after: 0).first { _ in true }?.sequence == 1)
  }

  @Test func failuresThatPassGoUnseenAndThoseThatStayAreThrown() async throws {
    let feed = feed(FeedLimits(pollInterval: .seconds(1), failures: 3))
    let reading = Task { try await feed.follow("s", after: 0).first { _ in true }?.sequence }
    await clock.waitForSleep(of: .seconds(1))
    ledger.fails = true
    clock.advance(by: .seconds(1))
    await clock.waitForSleep(of: .seconds(1))
    ledger.fails = false
    try await append()
    #expect(try await reading.value == 1)
    // The sleep that is left ends, so that the next one tells that the next reader waits.
    clock.advance(by: .seconds(1))

    let failing = Task { try await feed.follow("s", after: 1).first { _ in true } }
    await clock.waitForSleep(of: .seconds(1))
    ledger.fails = true
    for _ in 0..<3 {
      await clock.waitForSleep(of: .seconds(1))
      clock.advance(by: .seconds(1))
    }
    let error = await #expect(throws: LedgerError.self) { try await failing.value }
    #expect(error?.code == .database)
  }
}
