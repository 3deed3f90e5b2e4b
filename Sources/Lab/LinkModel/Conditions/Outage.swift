package struct Outage: Codable, Hashable, Sendable {
  package var startMilliseconds: Double
  package var durationMilliseconds: Double
  /// From one start to the next; nil: once.
  package var everyMilliseconds: Double?

  package init(startMilliseconds: Double, durationMilliseconds: Double, everyMilliseconds: Double? = nil) {
    self.startMilliseconds = startMilliseconds
    self.durationMilliseconds = durationMilliseconds
    self.everyMilliseconds = everyMilliseconds
  }
}
