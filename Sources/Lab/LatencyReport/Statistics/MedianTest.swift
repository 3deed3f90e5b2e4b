import LinkModel

/// A test of the median of the population that a sample is from.
///
/// Two sign tests have to agree. The first counts how many values lie on one side, as if all were independent; the second
/// takes the seeds as clusters: each gives the balance of its own values, and Student's t of these balances is tested, so
/// that values of one seed may depend on each other. A value that equals the hypothesis, or that is not known to lie on one
/// side of it, counts against it being wrong. No shape of the population is assumed: means and bootstraps fail on the lab's differences, which have two humps
/// and long tails. How often the intervals hold the truth is in `IntervalCoverage`.
package struct MedianTest: Sendable {
  /// The fewest values of an interval; fewer have a range.
  package static let fewestValues = 10
  /// One seed says nothing about how seeds differ; its values then count as independent, and a report says so.
  package static let fewestSeeds = 2
  /// An interval that leaves the truth out 5 times in 100.
  static let level = 0.05

  /// The lowest that each value may be, in rising order, each with the place of its seed.
  private let lows: [(value: Double, seed: Int)]
  /// The highest, likewise.
  private let highs: [(value: Double, seed: Int)]
  private let sizes: [Int]
  /// The number of values on one side that reject, both tails together at `level`.
  private let neededValues: Int
  /// Student's t that rejects; nil of one seed.
  private let neededT: Double?

  /// Nil of too few values, or where one is not a number.
  package init?(_ values: [SeededValue]) {
    guard values.count >= Self.fewestValues, values.allSatisfy(\.isRanked) else { return nil }
    var places: [UInt64: Int] = [:]
    var sizes: [Int] = []
    let seeds = values.map { value in
      let place = places[value.seed] ?? sizes.count
      if place == sizes.count {
        places[value.seed] = place
        sizes.append(0)
      }
      sizes[place] += 1
      return place
    }
    lows = zip(values, seeds).map { ($0.known.low, $1) }.sorted { $0.value < $1.value }
    highs = zip(values, seeds).map { ($0.known.high, $1) }.sorted { $0.value < $1.value }
    self.sizes = sizes
    var needed = values.count
    while Tail.fairCoins(atLeast: needed - 1, of: values.count) <= Self.level / 2 { needed -= 1 }
    neededValues = needed
    neededT =
      sizes.count >= Self.fewestSeeds ? Tail.studentQuantile(tail: Self.level / 2, degrees: sizes.count - 1) : nil
  }

  package var seeds: Int { sizes.count }

  /// The median of the sample: one number where every value is exact, else where it lies.
  package var median: Interval {
    Interval(low: Quantile.median(sorted: lows.map(\.value)), high: Quantile.median(sorted: highs.map(\.value)))
  }

  /// The 95 % interval of the population's median: the values that the sample cannot distinguish from it.
  package var interval: Interval {
    Interval(low: end(lows), high: -end(highs.reversed().map { (-$0.value, $0.seed) }))
  }

  /// The first value from below that is not rejected as the median because too much lies above it.
  private func end(_ rising: [(value: Double, seed: Int)]) -> Double {
    var balances = Balances(sizes)
    for place in rising.indices {
      balances.moveBelow(rising[place].seed)
      let isLastOfEqual = place + 1 == rising.count || rising[place + 1].value > rising[place].value
      if isLastOfEqual, !isRejected(balances, above: rising.count - place - 1) { return rising[place].value }
    }
    return rising[rising.count - 1].value
  }

  private func isRejected(_ balances: Balances, above: Int) -> Bool {
    above >= neededValues && (neededT.map { balances.t > $0 } ?? true)
  }

  /// The probability of a sample like this if the median is `hypothesis`: both tails.
  package func pValue(at hypothesis: Double) -> Double {
    min(1, 2 * min(pValue(notAbove: hypothesis), pValue(notBelow: hypothesis)))
  }

  /// The same if the median is not above `hypothesis`: one tail.
  func pValue(notAbove hypothesis: Double) -> Double { tail(lows) { $0 > hypothesis } }

  /// The same if it is not below.
  func pValue(notBelow hypothesis: Double) -> Double { tail(highs) { $0 < hypothesis } }

  private func tail(_ values: [(value: Double, seed: Int)], _ speaksAgainst: (Double) -> Bool) -> Double {
    var balances = Balances(sizes)
    var against = 0
    for (value, seed) in values {
      if speaksAgainst(value) { against += 1 } else { balances.moveBelow(seed) }
    }
    let counted = Tail.fairCoins(atLeast: against, of: values.count)
    guard neededT != nil else { return counted }
    let t = balances.t
    let clustered = t > 0 ? (t.isFinite ? Tail.student(above: t, degrees: sizes.count - 1) : 0) : 1
    return max(counted, clustered)
  }
}

/// The share of each seed's values above a place less the share below it, and Student's t of these.
private struct Balances {
  private let sizes: [Int]
  private var balances: [Double]
  private var sum: Double
  private var squares: Double

  /// All values are above.
  init(_ sizes: [Int]) {
    self.sizes = sizes
    balances = Array(repeating: 1, count: sizes.count)
    sum = Double(sizes.count)
    squares = sum
  }

  mutating func moveBelow(_ seed: Int) {
    let before = balances[seed]
    let after = before - 2 / Double(sizes[seed])
    balances[seed] = after
    sum += after - before
    squares += after * after - before * before
  }

  /// Infinite where all seeds agree.
  var t: Double {
    let count = Double(sizes.count)
    let mean = sum / count
    let variance = max(0, (squares - sum * mean) / max(1, count - 1))
    guard variance > 1e-9 else { return mean > 1e-9 ? .infinity : 0 }
    return mean / (variance / count).squareRoot()
  }
}
