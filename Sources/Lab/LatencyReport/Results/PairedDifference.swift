package struct PairedDifference: Codable, Hashable, Sendable {
  package var repetition: Int
  package var seed: UInt64
  package var difference: Double

  package init(repetition: Int, seed: UInt64, difference: Double) {
    self.repetition = repetition
    self.seed = seed
    self.difference = difference
  }
}
