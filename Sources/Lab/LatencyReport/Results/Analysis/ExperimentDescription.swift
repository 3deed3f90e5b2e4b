/// All of an experiment but its runs; with them the results can be made again.
package struct ExperimentDescription: Codable, Hashable, Sendable {
  package var scenario: ScenarioSummary
  package var provenance: Provenance
  package var arms: [ArmDescription]
  package var rules: ExperimentRules
  package var budgets: [Budget]

  package init(
    scenario: ScenarioSummary, provenance: Provenance, arms: [ArmDescription],
    rules: ExperimentRules = ExperimentRules(), budgets: [Budget] = []
  ) {
    self.scenario = scenario
    self.provenance = provenance
    self.arms = arms
    self.rules = rules
    self.budgets = budgets
  }
}
