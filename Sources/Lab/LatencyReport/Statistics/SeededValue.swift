/// A number with the seed that its run was made with: what shares a seed may not be independent.
///
/// A run that its deadline cut off gives only one end of its number; `known` is where the number lies, its ends equal where it
/// is exact and infinite where nothing is known.
package struct SeededValue: Hashable, Sendable {
  package let seed: UInt64
  package let known: Interval

  package init(seed: UInt64, value: Double) {
    self.init(seed: seed, known: Interval(low: value, high: value))
  }

  package init(seed: UInt64, known: Interval) {
    self.seed = seed
    self.known = known
  }

  /// Whether it can be ranked: an infinite end is one, no number is none.
  var isRanked: Bool { known.low <= known.high && known.low < .infinity && known.high > -.infinity }
}
