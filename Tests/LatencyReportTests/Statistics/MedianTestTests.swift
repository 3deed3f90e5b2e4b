import LinkModel
import Testing

@testable import LatencyReport

@Suite struct MedianTestTests {
  private func test(_ values: [Double], seeds: Int = 1) -> MedianTest? {
    MedianTest(values.enumerated().map { SeededValue(seed: UInt64($0.offset % seeds), value: $0.element) })
  }

  /// The order statistics of the sign test, as its tables have them: 2nd and 9th of 10, 4th and 12th of 15, 10th and 21st
  /// of 30. With as many seeds as values the clusters say the same.
  @Test(arguments: [(10, 2, 9), (11, 2, 10), (15, 4, 12), (20, 6, 15), (30, 10, 21), (200, 86, 115)])
  func theIntervalIsTheTables(_ row: (count: Int, low: Int, high: Int)) throws {
    for seeds in [1, row.count] {
      let interval = try #require(test((1...row.count).map(Double.init), seeds: seeds)).interval
      #expect(interval == Interval(low: Double(row.low), high: Double(row.high)), "\(seeds) seeds")
    }
  }

  @Test func tooFewAndWhatIsNoNumberHaveNone() {
    #expect(test((1...9).map(Double.init)) == nil)
    #expect(test([]) == nil)
    #expect(test((1...9).map(Double.init) + [.nan]) == nil)
    #expect(test((1...9).map(Double.init) + [.infinity]) == nil)
    #expect(test(Array(repeating: 4, count: 10))?.interval == Interval(low: 4, high: 4))
  }

  @Test func thePValueIsTheBinomials() throws {
    // Nine of ten above 0: 2 (10 + 1) / 1024. A value that equals the hypothesis is none that is above it.
    for last in [-5.0, 0] {
      let values = (1...9).map(Double.init) + [last]
      #expect(isNear(try #require(test(values)).pValue(at: 0), 22.0 / 1024, within: 1e-12))
    }
    #expect(try #require(test(Array(repeating: 0, count: 10))).pValue(at: 0) == 1)
    #expect(isNear(try #require(test((1...12).map(Double.init))).pValue(notAbove: 0), 1.0 / 4096, within: 1e-12))
  }

  /// Twenty values, one of five seeds against the rest: as independent values 16 of 20 would do, as seeds they do not.
  @Test func aSeedThatDisagreesCountsAsASeed() throws {
    let values: [Double] = (0..<20).map { place in
      let size = 10 + Double(place)
      return place % 5 == 0 ? -size : size
    }
    #expect(try #require(test(values)).pValue(at: 0) < 0.02)
    let clustered = try #require(test(values, seeds: 5))
    #expect(clustered.pValue(at: 0) > 0.2)
    #expect(clustered.interval.contains(0))
    #expect(clustered.seeds == 5)
  }

  /// Two seeds that agree in whole are enough; two of which one is divided are not, whatever the number of values.
  @Test func seedsAreClustersFromTwoOn() throws {
    let agreed = try #require(test((0..<20).map { Double($0) + 1 }, seeds: 2))
    #expect(!agreed.interval.contains(0))
    let values: [Double] = (0..<40).map { place in
      let size = Double(place) + 1
      return place % 8 == 1 ? -size : size
    }
    #expect(try #require(test(values)).pValue(at: 0) < 0.001)
    let clustered = try #require(test(values, seeds: 2))
    #expect(clustered.pValue(at: 0) > 0.05)
    #expect(clustered.interval.contains(0))
  }

  /// Of what is only known to be at least 5, nothing is known to be below anything.
  @Test func whatIsKnownInPartCountsForNoMoreThanThat() throws {
    let atLeast = try #require(
      MedianTest((0..<12).map { SeededValue(seed: $0, known: Interval(low: 5, high: .infinity)) }))
    #expect(atLeast.interval == Interval(low: 5, high: .infinity))
    #expect(atLeast.median == Interval(low: 5, high: .infinity))
    #expect(atLeast.pValue(notAbove: 4) < 0.001 && atLeast.pValue(notBelow: 1e9) == 1)
    let unknown = try #require(
      MedianTest((0..<12).map { SeededValue(seed: $0, known: Interval(low: -.infinity, high: .infinity)) }))
    #expect(unknown.pValue(at: 0) == 1)
    #expect(unknown.interval == Interval(low: -.infinity, high: .infinity))
    #expect(MedianTest((0..<12).map { SeededValue(seed: $0, known: Interval(low: 2, high: 1)) }) == nil)
  }

  /// Interval and probability are one test: an end is where the probability passes 5 %.
  @Test func theIntervalIsWhatThePValueDoesNotReject() throws {
    var generator = LinkGenerator(seed: 31)
    for count in [10, 17, 40] {
      for seeds in [1, 5, count] {
        let values = (0..<count).map { _ in generator.exponential(mean: 10) - 3 }
        let found = try #require(test(values, seeds: seeds))
        let interval = found.interval
        for value in [interval.low + 1e-9, interval.high - 1e-9] where interval.low < interval.high {
          #expect(found.pValue(at: value) > 0.05, "seed 31: \(count), \(seeds)")
        }
        for value in [interval.low - 1e-9, interval.high + 1e-9] {
          #expect(found.pValue(at: value) <= 0.05, "seed 31: \(count), \(seeds)")
        }
      }
    }
  }

  /// Student's tails as tables print them.
  @Test(arguments: [(4, 2.776_445), (9, 2.262_157), (29, 2.045_230), (1, 12.706_205), (200, 1.971_896)])
  func studentsQuantilesAreTheTables(_ row: (degrees: Int, quantile: Double)) {
    #expect(isNear(Tail.studentQuantile(tail: 0.025, degrees: row.degrees), row.quantile, within: 1e-5))
    #expect(isNear(Tail.student(above: row.quantile, degrees: row.degrees), 0.025, within: 1e-7))
  }

  @Test func coinsAreExact() {
    #expect(isNear(Tail.fairCoins(atLeast: 9, of: 10), 11.0 / 1024, within: 1e-14))
    #expect(Tail.fairCoins(atLeast: 0, of: 10) == 1 && Tail.fairCoins(atLeast: 11, of: 10) == 0)
    #expect(isNear(Tail.fairCoins(atLeast: 500, of: 1000), 0.5 + 0.012_612_5, within: 1e-6))
    #expect(Tail.fairCoins(atLeast: 90_000, of: 100_000) >= 0)
  }

  /// Holm's own example of four: 0.01, 0.04, 0.03, 0.005.
  @Test func holmsCorrectionIsTheTextbooks() {
    let adjusted = Holm.adjusted([0.01, 0.04, 0.03, 0.005])
    for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) { #expect(isNear(value, expected, within: 1e-12)) }
    #expect(Holm.adjusted([]).isEmpty)
    #expect(Holm.adjusted([0.9, 0.8]) == [1, 1])
  }
}
