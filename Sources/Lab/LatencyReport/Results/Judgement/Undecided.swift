/// The reason for which a large enough sample shows neither a difference nor its absence.
package struct Undecided: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The interval holds 0 and leaves the bound of equivalence, if there is one.
    case intervalHoldsZero
    /// One comparison alone would show a difference; among as many as there are, such a sample comes by chance.
    case corrected
  }

  package let interval: Interval
  package let reason: Reason

  init(_ test: MedianTest) {
    interval = test.interval
    reason = interval.contains(0) ? .intervalHoldsZero : .corrected
  }
}
