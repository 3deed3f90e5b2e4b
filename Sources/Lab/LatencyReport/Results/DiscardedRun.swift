package struct DiscardedRun: Codable, Hashable, Sendable {
  package var arm: String
  package var repetition: Int
  /// The rule, stated before the run, that it fell under.
  package var rule: String

  package init(arm: String, repetition: Int, rule: String) {
    self.arm = arm
    self.repetition = repetition
    self.rule = rule
  }
}
