import LinkModel

/// The parts of a `results.json` that are read: the runs and what was known before them. Everything that follows from
/// these, findings, intervals and words, is made again by the present rules, whatever the file says.
///
/// Version 1 has neither rules nor seeds: its first comparison tells what the verdict was about, and all its runs have the
/// experiment's seed. Experiments that stood beside are not read, as a file does not hold their runs.
struct StoredResults: Decodable {
  private let header: StoredHeader
  private let scenario: ScenarioSummary
  private let rules: ExperimentRules?
  private let arms: [StoredArm]
  private let comparisons: [StoredComparison]
  private let discarded: [DiscardedRun]
  private let budgets: [BudgetOutcome]
  private let plots: PlotData

  private struct StoredHeader: Decodable { var provenance: Provenance }

  private struct StoredComparison: Decodable {
    var metric: Metric
    var baseline: String
    var arm: String
  }

  private struct StoredArm: Decodable {
    var name: String
    var label: String
    var client: String
    var server: String
    var isControl: Bool
    var notes: [String]
    var runs: [RunMetrics]
    var realisedLoss: [RealisedLoss]
    var runsWithoutEvents: Int
  }

  var results: ExperimentResults {
    let rules = rules ?? rulesOfFirstVersion
    var discarded = discarded
    let arms = arms.map { arm in
      let kept = arm.runs.filter { run in
        guard let discard = rules.disturbance?.discards(run, of: arm.name) else { return true }
        discarded.append(discard)
        return false
      }
      return ArmResults(
        name: arm.name, label: arm.label, client: arm.client, server: arm.server, isControl: arm.isControl,
        notes: arm.notes, runs: kept, experimentSeed: header.provenance.seed, realisedLoss: arm.realisedLoss,
        runsWithoutEvents: arm.runsWithoutEvents)
    }
    var provenance = header.provenance
    if self.rules == nil {
      provenance.settings.append(
        NamedValue(
          "rules", "of a later version than the runs: what a bound on disturbances discards was decided after them"))
    }
    let description = ExperimentDescription(
      scenario: scenario, provenance: provenance,
      arms: arms.map {
        ArmDescription(name: $0.name, label: $0.label, isControl: $0.isControl, notes: $0.notes)
      }, rules: rules)
    return JudgedExperiment(description, arms: arms, discarded: discarded, companions: []).results(
      budgets: budgets, plots: plots)
  }

  private var rulesOfFirstVersion: ExperimentRules {
    let headline = comparisons.first
    return ExperimentRules(
      equivalenceMilliseconds: nil, headlineMetric: headline?.metric, headlineArm: headline?.arm,
      headlineBaseline: headline?.baseline)
  }
}
