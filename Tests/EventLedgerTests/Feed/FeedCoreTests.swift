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

  @Test func dismissedReadersEndAndThoseToComeAreServed() throws {
    let world = ScriptedFeed(FeedLimits())
    let waiting = try world.core.sit("s")
    let idle = try world.core.sit("t")
    #expect(world.wait(waiting, after: 5, .atEnd))
    _ = world.actions()
    world.core.dismiss()
    #expect(world.actions() == [.wake([waiting.number])])
    #expect(world.core.offer(waiting, after: 5, .reached) == .end)
    #expect(world.core.offer(idle, after: 0, .claimed) == .end)
    let next = try world.core.sit("s")
    #expect(world.core.offer(next, after: 5, .claimed) == .read)
    #expect(world.wait(next, after: 5, .atEnd))
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
    world.core.rested(rest, in: rest.time)
    let second = FeedFetch(stream: "s", tail: tail, cursor: 1)
    #expect(world.actions() == [.fetch(second)])
    world.core.fetched(events(2...6), by: second)
    #expect(world.actions() == [.wake(seats.map(\.number)), .rest(rest)])
    // Nothing came: the rest leaves nothing to do, and what comes later is fetched at once.
    wait(after: 6)
    world.core.rested(rest, in: rest.time)
    #expect(world.actions() == [])
    world.core.heard(.appended(stream: "s", last: 7))
    #expect(world.actions() == [.fetch(FeedFetch(stream: "s", tail: tail, cursor: 6))])
  }

  /// Or a stream in which much is said would never rest.
  @Test func whatComesDuringAFetchWaitsForTheRestToo() throws {
    let world = ScriptedFeed(FeedLimits(restPerReader: .milliseconds(1)))
    let seat = try world.core.sit("s")
    #expect(world.wait(seat, after: 0, .atEnd))
    world.core.heard(.appended(stream: "s", last: 1))
    let fetch = FeedFetch(stream: "s", tail: seat.number, cursor: 0)
    #expect(world.actions() == [.startPolling, .fetch(fetch)])
    world.core.heard(.appended(stream: "s", last: 2))
    world.core.fetched(events(1...1), by: fetch)
    let rest = FeedRest(stream: "s", tail: seat.number, time: .milliseconds(1))
    #expect(world.actions() == [.wake([seat.number]), .rest(rest)])
    #expect(world.wait(seat, after: 1, .reached))
    #expect(world.actions() == [])
    world.core.rested(rest, in: rest.time)
    #expect(world.actions() == [.fetch(FeedFetch(stream: "s", tail: seat.number, cursor: 1))])
  }

  @Test func aRestThatIsOverLateIsFollowedByALongerOne() throws {
    let world = ScriptedFeed(FeedLimits(restPerReader: .milliseconds(4), longestRest: .milliseconds(7)))
    let seat = try world.core.sit("s")
    #expect(world.wait(seat, after: 0, .atEnd))
    var rests: [Duration] = []
    for number in Int64(1)...3 {
      world.core.heard(.appended(stream: "s", last: number))
      for case .fetch(let fetch) in world.actions() { world.core.fetched(events(number...number), by: fetch) }
      for case .rest(let rest) in world.actions() {
        rests.append(rest.time)
        world.core.rested(rest, in: rest.time * 3)
      }
      #expect(world.wait(seat, after: number, .reached))
    }
    #expect(rests == [.milliseconds(4), .milliseconds(6), .milliseconds(7)])
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

  /// One reader that waits at the end of a stream, and the fetch that news starts.
  private func following(
    _ limits: FeedLimits = FeedLimits(restPerReader: .zero)
  ) throws -> (ScriptedFeed, FeedSeat, FeedFetch) {
    let feed = ScriptedFeed(limits)
    let seat = try feed.core.sit("s")
    #expect(feed.wait(seat, after: 0, .atEnd))
    feed.core.heard(.appended(stream: "s", last: 1))
    let fetch = FeedFetch(stream: "s", tail: seat.number, cursor: 0)
    #expect(feed.actions() == [.startPolling, .fetch(fetch)])
    return (feed, seat, fetch)
  }

  @Test func newsThatMayBeLostIsAskedForAtOnce() throws {
    let feed = ScriptedFeed(FeedLimits())
    let seat = try feed.core.sit("s")
    #expect(feed.wait(seat, after: 0, .atEnd))
    #expect(feed.actions() == [.startPolling])
    feed.core.heard(.missed)
    #expect(feed.actions() == [.pollNow])
    #expect(feed.core.poll == FeedPoll(watches: ["s": FeedPoll.Watch(tail: seat.number, end: 0)]))
  }

  /// Readers then read for themselves, and each gets what is true for its own cursor.
  @Test func aPageThatDoesNotFollowIsNotHandedOn() throws {
    for page in [events(2...3), events(1...2) + events(4...4)] {
      let (feed, seat, fetch) = try following()
      feed.core.fetched(page, by: fetch)
      #expect(feed.actions() == [.wake([seat.number])])
      #expect(feed.core.offer(seat, after: 0, .claimed) == .read)
    }
  }

  @Test func aPageThatItsBytesHaveEndedIsNotTheLast() throws {
    let (feed, seat, fetch) = try following()
    let heavy = LedgerEvent(
      sequence: 1, fence: 1, time: WallTime(microseconds: 0), type: "t",
      payload: Array(repeating: 0, count: LedgerLimits.pageBytes))
    feed.core.fetched([heavy], by: fetch)
    #expect(feed.actions() == [.wake([seat.number])])
    #expect(feed.wait(seat, after: 1, .reached))
    #expect(feed.actions() == [.fetch(FeedFetch(stream: "s", tail: seat.number, cursor: 1))])
  }

  @Test func theNewestEventsAreKeptWithinTheirNumberAndSize() throws {
    // An event of one letter's type is counted with 97 bytes.
    for (limits, kept) in [
      (FeedLimits(tailEvents: 3, restPerReader: .zero), 3),
      (FeedLimits(tailBytes: 2 * 97 + 96, restPerReader: .zero), 2),
    ] {
      let (feed, seat, fetch) = try following(limits)
      feed.core.fetched(events(1...10), by: fetch)
      #expect(feed.core.load.bytes == kept * 97)
      let first = Int64(11 - kept)
      #expect(feed.core.offer(seat, after: first - 1, .claimed) == .events(events(first...10)))
      #expect(feed.core.offer(seat, after: first - 2, .claimed) == .read)
    }
  }

  @Test func whatWasDroppedIsHandedOnToNobody() throws {
    let (feed, seat, fetch) = try following()
    feed.core.fetched(events(1...10), by: fetch)
    feed.core.heard(.trimmed(stream: "s", floor: 4))
    #expect(feed.core.offer(seat, after: 3, .claimed) == .read)
    #expect(feed.core.offer(seat, after: 4, .claimed) == .events(events(5...10)))
    // A poll tells it as well.
    #expect(feed.wait(seat, after: 10, .reached))
    let poll = try #require(feed.core.poll)
    feed.core.polled(["s": LedgerExtent(floor: 6, last: 10)], by: poll)
    #expect(feed.core.offer(seat, after: 5, .claimed) == .read)
  }

  @Test func aStreamThatWentBackIsReadAgain() throws {
    let (feed, seat, fetch) = try following()
    feed.core.fetched(events(1...10), by: fetch)
    #expect(feed.wait(seat, after: 10, .reached))
    let poll = try #require(feed.core.poll)
    _ = feed.actions()
    feed.core.polled(["s": LedgerExtent(floor: 0, last: 9)], by: poll)
    #expect(feed.actions() == [.wake([seat.number])])
    #expect(feed.core.offer(seat, after: 10, .claimed) == .read)
  }

  /// The name may be followed anew while a poll of its former readers is under way.
  @Test func aPollCountsOnlyForWhomItWasMade() throws {
    let feed = ScriptedFeed(FeedLimits())
    let former = try feed.core.sit("s")
    #expect(feed.wait(former, after: 9, .atEnd))
    let poll = try #require(feed.core.poll)
    feed.core.stopWaiting(former)
    feed.core.rise(former)
    let seat = try feed.core.sit("s")
    #expect(feed.wait(seat, after: 3, .atEnd))
    _ = feed.actions()
    // To the former one the stream has gone back; the present one is at its end.
    feed.core.polled(["s": LedgerExtent(floor: 0, last: 3)], by: poll)
    #expect(feed.actions() == [])
  }
}
