import LinkModel

/// Percentile intervals by drawing runs, with replacement, from the runs that were made (Efron 1979).
///
/// A draw is always a whole run or a whole pair of runs, never an event: events of one run are correlated, and
/// an interval over events would be far too narrow. With few runs the percentile interval is itself too narrow: for a
/// mean of 5 normal values it holds the truth about 83 times in 100 instead of 95, for 10 about 90, for 20 about 93.
package struct Bootstrap: Sendable {
  /// 0.95: 95 of 100 such intervals are to hold the true value.
  package var confidence: Double
  package var resamples: Int
  package var seed: UInt64

  /// At least 4 000 resamples, so that each end of the interval rests on about 100 of them.
  package init(seed: UInt64, confidence: Double = 0.95, resamples: Int = 4000) {
    self.seed = seed
    self.confidence = min(max(confidence, 0.5), 0.999)
    self.resamples = max(resamples, 4000)
  }

  /// The interval of the mean; nil of nothing. `purpose` names the draw, so that each has a stream of its own.
  package func mean(of values: [Double], purpose: String) -> Interval? {
    guard let first = values.first else { return nil }
    // Many metrics are 0 in every run, and every resample of equal values is the same.
    if values.allSatisfy({ $0 == first }) { return Interval(low: first, high: first) }
    var generator = LinkGenerator(seed: seed, purpose: purpose)
    let count = values.count
    return interval(
      (0..<resamples).map { _ in
        var sum = 0.0
        for _ in 0..<count { sum += values[generator.below(count)] }
        return sum / Double(count)
      })
  }

  /// The interval of the median; nil of nothing.
  package func median(of values: [Double], purpose: String) -> Interval? {
    guard let first = values.first else { return nil }
    // Many metrics are 0 in every run, and every resample of equal values is the same.
    if values.allSatisfy({ $0 == first }) { return Interval(low: first, high: first) }
    var generator = LinkGenerator(seed: seed, purpose: purpose)
    let sorted = values.sorted()
    let count = sorted.count
    // Counting how often each rank was drawn spares a sort for each resample.
    var drawn = [Int](repeating: 0, count: count)
    let isEven = count.isMultiple(of: 2)
    let lowerMiddle = (count - 1) / 2
    return interval(
      (0..<resamples).map { _ in
        for rank in 0..<count { drawn[rank] = 0 }
        for _ in 0..<count { drawn[generator.below(count)] += 1 }
        var rank = 0
        var passed = drawn[0]
        while passed <= lowerMiddle {
          rank += 1
          passed += drawn[rank]
        }
        guard isEven, passed == lowerMiddle + 1 else { return sorted[rank] }
        var next = rank + 1
        while drawn[next] == 0 { next += 1 }
        return (sorted[rank] + sorted[next]) / 2
      })
  }

  private func interval(_ statistics: [Double]) -> Interval {
    let sorted = statistics.sorted()
    let tail = (1 - confidence) / 2
    let low = Int((tail * Double(sorted.count)).rounded(.down))
    let high = min(Int(((1 - tail) * Double(sorted.count)).rounded(.up)) - 1, sorted.count - 1)
    return Interval(low: sorted[min(low, high)], high: sorted[max(low, high)])
  }
}
