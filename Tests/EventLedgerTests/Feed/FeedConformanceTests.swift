import EventLedger
import LedgerModel
import TestSupport
import Testing

/// The rules for a feed's readers, whatever ledger is beneath it.
@Suite(.timeLimit(.minutes(10)))
struct FeedConformanceTests {
  private func draft(_ number: Int64) -> LedgerDraft { LedgerDraft(type: "t", payload: Array("\(number)".utf8)) }

  /// The sequence numbers of events whose payload is their number; others count as 0.
  private func follow(
    _ feed: LedgerFeed, after cursor: Int64, until last: Int64, pause: @Sendable () async -> Void = {}
  ) async throws -> [Int64] {
    var taken: [Int64] = []
    for try await event in feed.follow("s", after: cursor) {
      taken.append(event.payload == draft(event.sequence).payload ? event.sequence : 0)
      if event.sequence == last { break }
      await pause()
    }
    return taken
  }

  /// Some from the start, some while events come and from any place of what is there, some that take their time.
  @Test(arguments: LedgerKind.allCases, [Duration.zero, .microseconds(100)])
  func everyReaderHasAllAndAStreamIsReadOnceForWaitingReaders(
    _ kind: LedgerKind, restPerReader: Duration
  ) async throws {
    let under = try await kind.make()
    let ledger = CountingLedger(under.ledger)
    let lease = try await ledger.lease("s", to: "one", for: .seconds(1_000))
    let limits = FeedLimits(tailEvents: 16, pageEvents: 8, restPerReader: restPerReader)
    let feed = LedgerFeed(ledger, limits: limits)
    let last: Int64 = 400
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    // The tail is read once for each event at most, and once more behind each full page. A reader that is further behind than the tail keeps
    // reads full pages by itself, and one to find where it is.
    var mostReads = Int(last) + Int(last) / limits.pageEvents
    try await withThrowingTaskGroup(of: (Int64, [Int64]).self) { group in
      func join(at end: Int64, isSlow: Bool) {
        // Before the last event, for which every reader waits.
        let cursor = Int64.random(in: 0...min(end, last - 1), using: &random)
        mostReads += Int(last - cursor) / limits.pageEvents + 2
        group.addTask {
          let taken = try await follow(feed, after: cursor, until: last) {
            if isSlow { for _ in 0..<50 { await Task.yield() } }
          }
          return (cursor, taken)
        }
      }
      for _ in 0..<20 { join(at: 0, isSlow: false) }
      for number in 1...last {
        _ = try await ledger.append([draft(number)], under: lease, key: nil)
        if number % 20 == 0 { join(at: number, isSlow: number % 80 == 0) }
      }
      for try await (cursor, taken) in group {
        #expect(taken == Array(cursor..<last).map { $0 + 1 }, "seed \(seed), after \(cursor)")
      }
    }
    // By themselves, the first twenty alone would read 8 000 times.
    #expect(ledger.reads <= mostReads, "seed \(seed)")
    #expect(feed.load == FeedLoad(readers: 0, streams: 0, bytes: 0))
  }
}
