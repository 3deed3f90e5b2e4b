package struct PairedDifference: Codable, Hashable, Sendable {
  package var repetition: Int
  package var difference: Double

  package init(repetition: Int, difference: Double) {
    self.repetition = repetition
    self.difference = difference
  }
}
