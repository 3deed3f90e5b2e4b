/// A test that two arms differ by less than a bound: two one-sided tests (Schuirmann 1987), at the level of the
/// intervals.
package struct Equivalence: Hashable, Sendable {
  /// The bound in the metric's unit.
  package let bound: Double
  /// The 95 % interval of the median difference, which lies within the bound.
  package let interval: Interval

  /// Nil where the interval leaves the bound, where the corrected probability is too large, or where the link may add as
  /// much as the bound.
  init?(_ test: MedianTest, bound: Double, correctedP: Double, noiseFloor: Double) {
    let interval = test.interval
    guard interval.low > -bound, interval.high < bound, correctedP <= MedianTest.level, noiseFloor <= bound else {
      return nil
    }
    self.bound = bound
    self.interval = interval
  }

  /// The probability of such a sample if the difference were as large as the bound, before any correction.
  static func pValue(_ test: MedianTest, bound: Double) -> Double {
    min(1, 2 * max(test.pValue(notAbove: -bound), test.pValue(notBelow: bound)))
  }
}
