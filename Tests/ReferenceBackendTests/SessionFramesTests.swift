import EventLedger
import ReferenceBackend
import Synchronization
import TestSupport
import Testing

/// The contents of a session's streams, on every ledger.
@Suite(.timeLimit(.minutes(10)))
struct SessionFramesTests {
  /// Counts the reads.
  private final class CountingSource: FeedSource {
    private let source: any FeedSource
    private let state = Mutex(0)

    init(_ source: any FeedSource) { self.source = source }

    var reads: Int { state.withLock { $0 } }
    var news: LedgerNews { source.news }

    func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
      state.withLock { $0 += 1 }
      return try await source.events(of: stream, after: cursor, limit: limit)
    }

    func extents(of streams: [String]) async throws -> [String: LedgerExtent] { try await source.extents(of: streams) }
  }

  private let stream = SessionLog.stream(of: "s")

  private func delta(_ number: Int) -> EventPayload { .assistantTextDelta(delta: "\(number) ", accumulated: "") }

  private func frames(_ log: LogUnderTest) -> SessionFrames { SessionFrames(log.ledger, log: log.log, style: .number) }

  private func code(_ frames: SessionFrames, after cursor: Int64) async -> LedgerError.Code? {
    do {
      _ = try await frames.events(of: stream, after: cursor, limit: 5)
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func anEventIsReadOnceForAllWhoWaitForIt(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    let source = CountingSource(frames(log))
    let feed = LedgerFeed(source)
    let (events, readers) = (200, 40)
    let all = try await withThrowingTaskGroup(of: [LedgerEvent].self) { group in
      for reader in 0..<readers {
        group.addTask {
          // They come and go, each at other places, as clients do.
          var taken: [LedgerEvent] = []
          while taken.count < events {
            for try await event in feed.follow(stream, after: Int64(taken.count)) {
              taken.append(event)
              if taken.count == events || taken.count % (reader * 3 + 17) == 0 { break }
            }
          }
          return taken
        }
      }
      for number in 1...events { try await log.append([delta(number)]) }
      var first: [LedgerEvent]?
      for try await taken in group {
        #expect(first == nil || taken == first)
        first = first ?? taken
      }
      return try #require(first)
    }
    let stored = try await log.log.events(of: "s", after: .beginning, limit: events)
    #expect(all.map(\.payload) == stored.map { $0.frame(.number) })
    #expect(source.reads < events * readers / 4)
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func framesAreTheSameWhereverReadingBegins(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    for number in 1...12 { try await log.append([delta(number)]) }
    let frames = frames(log)
    let all = try await frames.events(of: stream, after: 0, limit: 100)
    #expect(all.map(\.sequence) == Array(1...12))
    // In any order and twice: what is kept of one read is no part of another's outcome.
    for cursor in [3, 3, 11, 0, 5, 4, 12, 4].map({ Int64($0) }) {
      for limit in [1, 3, 100] {
        let some = try await frames.events(of: stream, after: cursor, limit: limit)
        #expect(some == Array(all.dropFirst(Int(cursor)).prefix(limit)))
      }
    }
    _ = try await log.log.prune("s", before: WallTime(microseconds: .max), keeping: nil)
    #expect(await code(frames, after: 3) == .trimmed(floor: 12))
    #expect(await code(frames, after: 13) == .cursorAhead(last: 12))
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func aSessionThatSaidNothingIsWaitedFor(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    let frames = frames(log)
    #expect(try await frames.events(of: stream, after: 0, limit: 5).isEmpty)
    #expect(try await frames.extents(of: [stream])[stream] == LedgerExtent(floor: 0, last: 0))
    #expect(await code(frames, after: 1) == .cursorAhead(last: 0))
    let feed = LedgerFeed(frames)
    let reading = Task { try await feed.follow(stream, after: 0).first { _ in true } }
    while feed.load.readers == 0 { await Task.yield() }
    try await log.append([delta(1)])
    #expect(try await reading.value?.sequence == 1)
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func whatWasReadAheadGoesWithTheSession(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    // A page holds a part of these, and the rest was read already.
    let word = String(repeating: "x", count: 40_000)
    for _ in 0..<10 { try await log.append([.assistantTextDelta(delta: word, accumulated: "")]) }
    let frames = frames(log)
    let first = try await frames.events(of: stream, after: 0, limit: 10)
    #expect((1..<10).contains(first.count))
    try await log.log.delete("s")
    #expect(await code(frames, after: Int64(first.count)) == .deletedStream)
  }

  @Test func whatIsKeptOfPositionsIsBounded() {
    var positions = LogPositions(limit: 10, byteLimit: 3_000)
    for number in 1...100 {
      positions.keep(LogPosition(after: EventID(Int64(number))), of: "s")
      #expect(positions.bytes <= 10 * 200)
      #expect(positions.take("t", after: EventID(Int64(number))) == nil)
    }
    #expect(positions.take("s", after: EventID(1)) == nil)
    #expect(positions.take("s", after: EventID(100)) == LogPosition(after: EventID(100)))
    #expect(positions.take("s", after: EventID(100)) == nil)
    positions.removeAll(of: "s")
    #expect(positions.bytes == 0)
  }
}
