/// A difference between two arms that was found: the only value that documents can print as one.
///
/// Its initialiser is the judgement, so there is none of a sample that does not support it.
package struct JudgedDifference: Hashable, Sendable {
  /// The median of the paired differences; where runs that the deadline cut off make it uncertain, the end nearer to 0.
  package let median: Double
  /// The 95 % interval of the median; its far end is infinite where such runs leave it open.
  package let interval: Interval
  /// The probability of such a sample if there were no difference, corrected for the number of comparisons.
  package let correctedP: Double

  /// Nil where the interval holds 0, where the corrected probability is too large, or where the difference is below the
  /// floor.
  init?(_ test: MedianTest, correctedP: Double, noiseFloor: Double) {
    let interval = test.interval
    let median = interval.low > 0 ? test.median.low : test.median.high
    guard !interval.contains(0), correctedP <= MedianTest.level, abs(median) >= noiseFloor else { return nil }
    self.median = median
    self.interval = interval
    self.correctedP = correctedP
  }
}
