package import LinkModel

/// Wilson's interval of a share (JASA 1927): unlike the normal one it holds near 0 and 1 and never leaves them.
package enum BinomialInterval {
  /// The normal distribution's 99.5th percentile: 99 % two-sided.
  package static let z99 = 2.575_829_303_548_901

  /// The interval of `successes` of `trials`, both as counts that may be fractions (an effective sample size).
  package static func wilson(successes: Double, trials: Double, z: Double = z99) -> Interval {
    guard trials > 0 else { return Interval(low: 0, high: 1) }
    let share = min(max(successes / trials, 0), 1)
    let square = z * z
    let centre = (share + square / (2 * trials)) / (1 + square / trials)
    let half =
      z / (1 + square / trials) * (share * (1 - share) / trials + square / (4 * trials * trials)).squareRoot()
    // At the ends the two terms cancel but for rounding, which would put 0 % or 100 % just outside.
    return Interval(
      low: share == 0 ? 0 : max(0, centre - half), high: share == 1 ? 1 : min(1, centre + half))
  }

  /// The mean share of packets that `loss` drops, nil where it is not fixed by the configuration.
  package static func configuredRate(_ loss: Loss?) -> Double? {
    switch loss {
    case nil: 0
    case .bernoulli(let rate, nil): rate
    case .bernoulli(let rate, let longest?): limitedRate(rate, longestBurst: longest)
    case .gilbert(let meanRate, _): meanRate
    // How many packets fall into bad times, and how long they are, depends on the sender.
    case .weather, .byTime, .perByte, .acknowledgements, .byToken: nil
    case .pattern(let pattern):
      pattern.isEmpty ? 0 : Double(pattern.count { $0 }) / Double(pattern.count)
    }
  }

  /// The evidence that one packet gives, in independent packets: 1 where drops are independent.
  ///
  /// For a two-state chain with correlation r = 1 - p(good to bad) - p(bad to good) from packet to packet, the variance
  /// of a mean grows by (1 + r) / (1 - r).
  package static func evidencePerPacket(_ loss: Loss?) -> Double {
    guard case .gilbert(let meanRate, let meanBurst)? = loss, meanBurst > 0, meanRate > 0, meanRate < 1 else {
      return 1
    }
    let leaveBad = min(1, 1 / meanBurst)
    let enterBad = min(1, leaveBad * meanRate / (1 - meanRate))
    let correlation = min(max(1 - leaveBad - enterBad, 0), 0.9999)
    return (1 - correlation) / (1 + correlation)
  }

  /// The stationary drop rate of a Bernoulli loss that lets a packet pass after `longestBurst` drops in a row.
  private static func limitedRate(_ rate: Double, longestBurst: Int) -> Double {
    guard longestBurst > 0 else { return 0 }
    guard rate < 1 else { return rate > 1 ? 1 : Double(longestBurst) / Double(longestBurst + 1) }
    var power = rate
    var drops = 0.0
    for _ in 0..<min(longestBurst, 1000) {
      drops += power
      power *= rate
    }
    return drops / (1 + drops)
  }
}
