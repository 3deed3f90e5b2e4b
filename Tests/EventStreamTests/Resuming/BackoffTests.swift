import EventStream
import TestSupport
import Testing

@Suite("Back-off")
struct BackoffTests {
  private static let refused = StreamEnd.refused(retryAfter: nil)
  private static let seeds: Range<UInt64> = 0..<200

  @Test("Invariant 13: the wait doubles with jitter between floor and ceiling", arguments: seeds)
  func theWaitDoublesWithJitterBetweenFloorAndCeiling(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    for latest in [2, 4, 8, 16, 30, 30, 30] {
      let delay = backoff.delay(after: Self.refused, using: &generator)
      #expect(delay >= .seconds(1) && delay <= .seconds(latest), "seed \(seed), up to \(latest) s")
    }
    #expect(backoff.failures == 7)
  }

  @Test func theJitterFillsTheInterval() {
    let delays = Self.seeds.map { seed in
      var generator = SeededGenerator(seed: seed)
      var backoff = Backoff()
      for _ in 0..<6 { _ = backoff.delay(after: Self.refused, using: &generator) }
      return backoff.delay(after: Self.refused, using: &generator)
    }
    #expect((delays.min() ?? .zero) < .seconds(3))
    #expect((delays.max() ?? .zero) > .seconds(28))
  }

  @Test(arguments: seeds)
  func theServersRetryIsNeverUndercut(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    backoff.serverAsked(retryMilliseconds: 5000)
    for latest in [10, 20, 30, 30] {
      let delay = backoff.delay(after: .lost(uptime: .zero), using: &generator)
      #expect(delay >= .seconds(5) && delay <= .seconds(latest), "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func aShortRetryNeitherLowersTheFloorNorStopsTheDoubling(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    backoff.serverAsked(retryMilliseconds: 0)
    var sum = Duration.zero
    for latest in [2, 4, 8, 16, 30, 30, 30, 30, 30, 30] {
      let delay = backoff.delay(after: .lost(uptime: .zero), using: &generator)
      #expect(delay >= .seconds(1) && delay <= .seconds(latest), "seed \(seed)")
      sum += delay
    }
    #expect(sum > .seconds(30), "seed \(seed): ten attempts within \(sum)")
  }

  @Test(arguments: seeds)
  func anOrderAboveTheCeilingHoldsAndIsSpread(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    let delay = backoff.delay(after: .refused(retryAfter: .seconds(60)), using: &generator)
    #expect(delay >= .seconds(60) && delay <= .seconds(75), "seed \(seed)")
    let next = backoff.delay(after: Self.refused, using: &generator)
    #expect(next <= .seconds(4), "seed \(seed): Retry-After holds once")
  }

  @Test func aServerCannotSilenceTheClientForLong() {
    var generator = SeededGenerator(seed: 1)
    var backoff = Backoff()
    backoff.serverAsked(retryMilliseconds: .max)
    #expect(backoff.delay(after: .clean(uptime: .seconds(60)), using: &generator) <= .seconds(375))
    #expect(backoff.delay(after: .refused(retryAfter: .seconds(Int64.max)), using: &generator) <= .seconds(375))
  }

  @Test func aHealthyCleanEndResumesAtOnce() {
    var generator = SeededGenerator(seed: 1)
    var backoff = Backoff()
    for _ in 0..<5 { _ = backoff.delay(after: Self.refused, using: &generator) }
    #expect(backoff.delay(after: .clean(uptime: .seconds(300)), using: &generator) == .zero)
    #expect(backoff.failures == 0)
  }

  @Test func aHealthyCleanEndStillWaitsForTheServersRetry() {
    var generator = SeededGenerator(seed: 1)
    var backoff = Backoff()
    backoff.serverAsked(retryMilliseconds: 2000)
    let delay = backoff.delay(after: .clean(uptime: .seconds(300)), using: &generator)
    #expect(delay >= .seconds(2) && delay <= .milliseconds(2500))
  }

  @Test(arguments: seeds)
  func acceptingAndClosingIsNoSuccess(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    _ = backoff.delay(after: .clean(uptime: .seconds(300)), using: &generator)
    for count in 1...6 {
      let delay = backoff.delay(after: .clean(uptime: .milliseconds(10)), using: &generator)
      #expect(delay >= .seconds(1), "seed \(seed): one immediate resume only")
      #expect(backoff.failures == count)
    }
  }

  @Test func onlyAHealthyPeriodRestartsTheCount() {
    var generator = SeededGenerator(seed: 1)
    var backoff = Backoff()
    for _ in 0..<5 { _ = backoff.delay(after: Self.refused, using: &generator) }
    _ = backoff.delay(after: .lost(uptime: .milliseconds(4999)), using: &generator)
    #expect(backoff.failures == 6)
    let delay = backoff.delay(after: .lost(uptime: .seconds(5)), using: &generator)
    #expect(backoff.failures == 1)
    #expect(delay >= .seconds(1) && delay <= .seconds(2))
  }

  @Test func manyFailuresDoNotOverflow() {
    var generator = SeededGenerator(seed: 1)
    var backoff = Backoff(.init(base: .seconds(Int64.max / 4), ceiling: .seconds(Int64.max / 2)))
    for _ in 0..<1000 {
      #expect(backoff.delay(after: Self.refused, using: &generator) >= .seconds(1))
    }
  }

  @Test func theSameSeedGivesTheSameWaits() {
    var first = (SeededGenerator(seed: 7), Backoff())
    var second = first
    for _ in 0..<10 {
      #expect(
        first.1.delay(after: Self.refused, using: &first.0) == second.1.delay(after: Self.refused, using: &second.0))
    }
    #expect(first.1 == second.1)
  }

  @Test func aServerThatClosedAHealthyStreamsConnectionInGoodOrderIsSoughtAlmostAtOnce() {
    let delays = Self.seeds.map { seed in
      var generator = SeededGenerator(seed: seed)
      var backoff = Backoff()
      for _ in 0..<5 { _ = backoff.delay(after: Self.refused, using: &generator) }
      let delay = backoff.delay(after: .closedGracefully(uptime: .seconds(5)), using: &generator)
      #expect(delay <= .milliseconds(250) && backoff.failures == 0, "seed \(seed)")
      // Nobody is there yet.
      let next = backoff.delay(after: Self.refused, using: &generator)
      #expect(next >= .seconds(1) && next <= .seconds(2), "seed \(seed)")
      return delay
    }
    // Not all clients of the server in the same moment.
    #expect((delays.min() ?? .zero) < .milliseconds(25))
    #expect((delays.max() ?? .zero) > .milliseconds(225))
  }

  @Test(arguments: seeds)
  func aServerThatSaysGoodbyeAtOnceIsNotHammered(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    for latest in [2, 4, 8, 16, 30] {
      let delay = backoff.delay(after: .closedGracefully(uptime: .milliseconds(4_999)), using: &generator)
      #expect(delay >= .seconds(1) && delay <= .seconds(latest), "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func aServersRetryHoldsBehindItsGoodbye(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var backoff = Backoff()
    backoff.serverAsked(retryMilliseconds: 2_000)
    let delay = backoff.delay(after: .closedGracefully(uptime: .seconds(300)), using: &generator)
    #expect(delay >= .seconds(2) && delay <= .milliseconds(2_500), "seed \(seed)")
    #expect(backoff.order == .seconds(2))
  }
}
