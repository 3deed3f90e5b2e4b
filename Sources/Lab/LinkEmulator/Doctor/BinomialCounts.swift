import Foundation

/// The counts between which a binomial count lies with a given probability, computed exactly.
package enum BinomialCounts {
  /// Leaves out at most half of `1 - confidence` at either end.
  package static func counts(trials: Int, probability: Double, confidence: Double) -> ClosedRange<Int> {
    guard trials > 0, probability > 0 else { return 0...0 }
    guard probability < 1 else { return trials...trials }
    let tail = (1 - confidence) / 2
    let ratio = log(probability) - log(1 - probability)
    // The logarithm of each count's probability, from the one before it.
    var logarithm = Double(trials) * log(1 - probability)
    var below = 0.0
    var lower: Int?
    for count in 0...trials {
      below += exp(logarithm)
      if lower == nil, below > tail { lower = count }
      if below >= 1 - tail { return (lower ?? 0)...count }
      logarithm += log(Double(trials - count)) - log(Double(count + 1)) + ratio
    }
    return (lower ?? 0)...trials
  }
}
