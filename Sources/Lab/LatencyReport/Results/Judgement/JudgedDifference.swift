/// A difference between two arms that was found: the only value that documents can print as one.
///
/// Its initialiser is the judgement, so there is none of a sample that does not bear it out.
package struct JudgedDifference: Hashable, Sendable {
  /// The median of the paired differences.
  package let median: Double
  /// The 95 % interval of that median.
  package let interval: Interval
  /// The probability of such a sample if there were no difference, corrected for the number of comparisons.
  package let correctedP: Double

  /// Nil where the interval holds 0, where the corrected probability is too large, or where the difference is below the
  /// floor.
  init?(_ test: MedianTest, correctedP: Double, noiseFloor: Double) {
    let interval = test.interval
    guard !interval.contains(0), correctedP <= MedianTest.level, abs(test.median) >= noiseFloor else { return nil }
    median = test.median
    self.interval = interval
    self.correctedP = correctedP
  }
}
