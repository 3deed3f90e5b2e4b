/// The outcome of one experiment: the contents of `results.json`, from which the report is drawn.
package struct ExperimentResults: Encodable, Hashable, Sendable {
  package static let currentVersion = 2

  package var version: Int
  package var header: Header
  package var scenario: ScenarioSummary
  package var rules: ExperimentRules
  package var arms: [ArmResults]
  /// Every pair of arms that is worth comparing, the headline pair first.
  package var comparisons: [Comparison]
  package var discarded: [DiscardedRun]
  package var budgets: [BudgetOutcome]
  package var plots: PlotData
  /// Experiments that stand beside this one, as the single-stream one or the other losses of a sweep.
  package var companions: [CompanionExperiment]

  package init(
    header: Header, scenario: ScenarioSummary, rules: ExperimentRules, arms: [ArmResults], comparisons: [Comparison],
    discarded: [DiscardedRun], budgets: [BudgetOutcome], plots: PlotData,
    companions: [CompanionExperiment] = []
  ) {
    version = Self.currentVersion
    self.header = header
    self.scenario = scenario
    self.rules = rules
    self.arms = arms
    self.comparisons = comparisons
    self.discarded = discarded
    self.budgets = budgets
    self.plots = plots
    self.companions = companions
  }

  /// The floor of all runs together.
  var noiseFloorMilliseconds: Double {
    NoiseFloor(arms.flatMap(\.runs), provenance: header.provenance).milliseconds
  }
}
