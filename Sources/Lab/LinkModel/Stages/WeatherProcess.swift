/// Good and bad periods of exponential lengths that follow one another in time, whatever is sent: the states of a
/// continuous-time Gilbert-Elliott model, from a generator that nothing else draws from.
package struct WeatherProcess: Sendable {
  /// A link idle for more changes than this starts again, so that no packet waits for years of weather.
  static let mostChangesAtOnce = 10_000_000

  /// The longest mean in nanoseconds, more than a year: a draw is at most 37 times as long, so that it still fits.
  private static let longestMean = Double(LinkTime.limit / 64)

  package private(set) var isBad: Bool
  /// The end of the current period, in nanoseconds after the link's start.
  package private(set) var changesAt: Int64
  private let goodMean: Double
  private let badMean: Double
  private var generator: LinkGenerator

  /// The weather starts in its long-run mix, so the first period is bad with the bad periods' share.
  package init(goodMeanMilliseconds: Double, badMeanMilliseconds: Double, seed: LinkSeed) {
    self.init(
      goodMeanMilliseconds: goodMeanMilliseconds, badMeanMilliseconds: badMeanMilliseconds,
      generator: seed.generator(for: .weatherStates))
  }

  init(goodMeanMilliseconds: Double, badMeanMilliseconds: Double, generator: LinkGenerator) {
    goodMean = min(goodMeanMilliseconds * LinkTime.perMillisecond, Self.longestMean)
    badMean = min(badMeanMilliseconds * LinkTime.perMillisecond, Self.longestMean)
    self.generator = generator
    isBad = self.generator.chance(badMean / (goodMean + badMean))
    changesAt = 0
    changesAt = duration()
  }

  /// Moves to a time after the link's start, in nanoseconds; an earlier one than before changes nothing.
  package mutating func advance(to elapsed: Int64) {
    var changes = 0
    while changesAt <= elapsed {
      isBad.toggle()
      changes += 1
      changesAt = (changes < Self.mostChangesAtOnce ? changesAt : elapsed) + duration()
    }
  }

  /// A period's duration, at least a nanosecond, so that time moves.
  private mutating func duration() -> Int64 {
    max(1, Int64(generator.exponential(mean: isBad ? badMean : goodMean)))
  }
}
