import Foundation
import LatencyReport
import LinkModel
import Testing

@Suite struct BootstrapTests {
  @Test func theSameSeedGivesTheSameInterval() {
    let values = (1...30).map { Double($0 * $0) * 1.37 }
    let bootstrap = Bootstrap(seed: 42)
    #expect(bootstrap.mean(of: values, purpose: "a") == Bootstrap(seed: 42).mean(of: values, purpose: "a"))
    #expect(bootstrap.median(of: values, purpose: "a") == Bootstrap(seed: 42).median(of: values, purpose: "a"))
    #expect(bootstrap.mean(of: values, purpose: "a") != bootstrap.mean(of: values, purpose: "b"))
    #expect(bootstrap.mean(of: values, purpose: "a") != Bootstrap(seed: 43).mean(of: values, purpose: "a"))
  }

  @Test func thereAreNeverFewerThanFourThousandResamples() {
    #expect(Bootstrap(seed: 1, resamples: 10).resamples == 4000)
    #expect(Bootstrap(seed: 1, resamples: 9000).resamples == 9000)
  }

  @Test func ofNothingThereIsNoIntervalAndOfOneValueItIsThatValue() {
    let bootstrap = Bootstrap(seed: 1)
    #expect(bootstrap.mean(of: [], purpose: "") == nil)
    #expect(bootstrap.median(of: [], purpose: "") == nil)
    #expect(bootstrap.mean(of: [3], purpose: "") == Interval(low: 3, high: 3))
    #expect(bootstrap.median(of: [3], purpose: "") == Interval(low: 3, high: 3))
  }

  /// Of three distinct values the median's bootstrap distribution is known: the smallest 7 times in 27, as is the largest.
  @Test func theMediansDistributionIsTheExactOne() throws {
    let values = [1.0, 2, 3]
    let wide = try #require(Bootstrap(seed: 5, confidence: 0.5).median(of: values, purpose: ""))
    // 25 % lies within the smallest's 25.9 %.
    #expect(wide == Interval(low: 1, high: 3))
    // Of two values the median of a resample is 1, 1.5 or 2 with chances 1/4, 1/2 and 1/4.
    let narrow = try #require(Bootstrap(seed: 5, confidence: 0.5, resamples: 40_000).median(of: [1, 2], purpose: "x"))
    #expect(narrow.low <= 1.5 && narrow.high >= 1.5)
    #expect(Bootstrap(seed: 5).median(of: [1, 2], purpose: "x") == Interval(low: 1, high: 2))
  }

  /// The mean's standard error shows in the interval's width: 2 x 1.96 x s / square root of n for many values.
  @Test func theWidthOfTheMeansIntervalIsTheStandardErrors() throws {
    var generator = LinkGenerator(seed: 11)
    let values = (0..<400).map { _ in Double.random(in: 0..<1, using: &generator) }
    let interval = try #require(Bootstrap(seed: 12).mean(of: values, purpose: ""))
    let expected = 2 * 1.96 * (1.0 / 12).squareRoot() / 20
    #expect(abs(interval.high - interval.low - expected) < expected * 0.1)
    #expect(interval.contains(values.reduce(0, +) / 400))
  }

  struct Coverage: CustomTestStringConvertible, Sendable {
    var testDescription: String { "\(runs) runs" }
    var runs: Int
    var expected: ClosedRange<Int>
  }

  /// Of 150 experiments whose true mean is 0, how many intervals hold it; the percentile interval is known to be too
  /// narrow for few runs, and the report says so.
  @Test(arguments: [
    Coverage(runs: 5, expected: 111...138), Coverage(runs: 10, expected: 124...146),
    Coverage(runs: 20, expected: 130...149),
  ])
  func intervalsHoldTheTruthAboutAsOftenAsTheySay(_ row: Coverage) throws {
    var generator = LinkGenerator(seed: 2026)
    var held = 0
    for experiment in 0..<150 {
      let values = (0..<row.runs).map { _ in normal(&generator) }
      let interval = try #require(Bootstrap(seed: UInt64(experiment)).mean(of: values, purpose: "coverage"))
      if interval.contains(0) { held += 1 }
    }
    #expect(row.expected.contains(held), "seed 2026: \(held) of 150")
  }

  private func normal(_ generator: inout LinkGenerator) -> Double {
    let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }
}
