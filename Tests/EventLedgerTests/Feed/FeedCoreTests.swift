import Testing

@testable import EventLedger

struct FeedCoreTests {
  /// The rules, asked where nothing may change.
  private final class ScriptedFeed {
    var core: FeedCore

    init(_ limits: FeedLimits) { core = FeedCore(limits: limits) }

    func actions() -> [FeedCore.Action] { core.takeActions() }

    func wait(_ seat: FeedSeat, after cursor: Int64, _ standing: FeedCursor.Standing) -> Bool {
      core.wait(seat, after: cursor, standing)
    }
  }

  @Test(arguments: [0, 0.3])
  func everyReaderHasEveryEventInOrderInWhateverOrderStepsAreTaken(newsIsLost: Double) {
    var fetches = 0
    var rests = 0
    for seed in UInt64(1)...1_000 {
      var world = FeedWorld(seed: seed, newsIsLost: newsIsLost)
      world.run(steps: 150)
      fetches += world.fetchCount
      rests += world.restCount
      #expect(world.breaches.isEmpty, "seed \(seed): \(world.breaches)")
      if !world.breaches.isEmpty { return }
    }
    // The rules were really used: readers did not just read for themselves.
    #expect(fetches > 1_000 && rests > 100)
  }

  private func events(_ numbers: ClosedRange<Int64>) -> [LedgerEvent] {
    numbers.map { LedgerEvent(sequence: $0, fence: 1, time: WallTime(microseconds: 0), type: "t", payload: []) }
  }

  @Test func manyReadersAreGivenTimeBeforeTheyAreWokenAgain() throws {
    let world = ScriptedFeed(FeedLimits(restPerReader: .milliseconds(1), longestRest: .milliseconds(8)))
    let seats = try (0..<10).map { _ in try world.core.sit("s") }
    func wait(after cursor: Int64) {
      for seat in seats { #expect(world.wait(seat, after: cursor, cursor == 0 ? .atEnd : .reached)) }
    }
    wait(after: 0)
    #expect(world.actions() == [.startPolling])
    world.core.heard(.appended(stream: "s", last: 1))
    let tail = try #require(seats.first).number
    let first = FeedFetch(stream: "s", tail: tail, cursor: 0)
    #expect(world.actions() == [.fetch(first)])
    world.core.fetched(events(1...1), by: first)
    let rest = FeedRest(stream: "s", tail: tail, time: .milliseconds(8))
    #expect(world.actions() == [.wake(seats.map(\.number)), .rest(rest)])
    wait(after: 1)
    // What comes now is fetched in one go, whatever reports it.
    for number in Int64(2)...5 { world.core.heard(.appended(stream: "s", last: number)) }
    if let poll = world.core.poll { world.core.polled(["s": LedgerExtent(floor: 0, last: 6)], by: poll) }
    #expect(world.actions() == [])
    world.core.rested(rest)
    let second = FeedFetch(stream: "s", tail: tail, cursor: 1)
    #expect(world.actions() == [.fetch(second)])
    world.core.fetched(events(2...6), by: second)
    #expect(world.actions() == [.wake(seats.map(\.number)), .rest(rest)])
    // Nothing came: the rest leaves nothing to do, and what comes later is fetched at once.
    wait(after: 6)
    world.core.rested(rest)
    #expect(world.actions() == [])
    world.core.heard(.appended(stream: "s", last: 7))
    #expect(world.actions() == [.fetch(FeedFetch(stream: "s", tail: tail, cursor: 6))])
  }

  @Test func aStreamThatIsBehindDoesNotRest() throws {
    let world = ScriptedFeed(FeedLimits(pageEvents: 3, restPerReader: .seconds(1), longestRest: .seconds(1)))
    let seat = try world.core.sit("s")
    #expect(world.wait(seat, after: 0, .atEnd))
    world.core.heard(.appended(stream: "s", last: 5))
    let fetch = FeedFetch(stream: "s", tail: seat.number, cursor: 0)
    #expect(world.actions() == [.startPolling, .fetch(fetch)])
    world.core.fetched(events(1...3), by: fetch)
    #expect(world.actions() == [.wake([seat.number])])
    #expect(world.wait(seat, after: 3, .reached))
    #expect(world.actions() == [.fetch(FeedFetch(stream: "s", tail: seat.number, cursor: 3))])
  }

  @Test func aClosedFeedGivesWhatIsThereAndEnds() throws {
    let world = ScriptedFeed(FeedLimits())
    let seat = try world.core.sit("s")
    #expect(world.wait(seat, after: 4, .atEnd))
    world.core.close()
    #expect(world.actions() == [.startPolling, .wake([seat.number])])
    #expect(world.core.offer(seat, after: 4, .claimed) == .read)
    #expect(world.core.offer(seat, after: 6, .reached) == .read)
    #expect(world.core.offer(seat, after: 6, .atEnd) == .end)
    #expect(!world.wait(seat, after: 6, .atEnd))
  }
}
