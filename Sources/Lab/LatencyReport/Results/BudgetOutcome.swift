package struct BudgetOutcome: Codable, Hashable, Sendable {
  package var arm: String
  package var metric: Metric
  package var limit: Double
  package var value: Double?
  package var isKept: Bool

  package init(arm: String, metric: Metric, limit: Double, value: Double?, isKept: Bool) {
    self.arm = arm
    self.metric = metric
    self.limit = limit
    self.value = value
    self.isKept = isKept
  }
}
