package struct PairedDifference: Codable, Hashable, Sendable {
  /// The meaning of a difference where the deadline cut off one of the two runs, of which nobody knows what it would
  /// have taken.
  package enum Certainty: String, Codable, CaseIterable, Hashable, Sendable {
    case exact, atLeast, atMost, unknown
  }

  package var repetition: Int
  package var seed: UInt64
  package var difference: Double
  package var certainty: Certainty

  package init(repetition: Int, seed: UInt64, difference: Double, certainty: Certainty = .exact) {
    self.repetition = repetition
    self.seed = seed
    self.difference = difference
    self.certainty = certainty
  }

  var seeded: SeededValue {
    let known =
      switch certainty {
      case .exact: Interval(low: difference, high: difference)
      case .atLeast: Interval(low: difference, high: .infinity)
      case .atMost: Interval(low: -.infinity, high: difference)
      case .unknown: Interval(low: -.infinity, high: .infinity)
      }
    return SeededValue(seed: seed, known: known)
  }
}
