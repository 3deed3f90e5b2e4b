import LinkModel

/// An experiment's kept runs, judged, and the words about them.
///
/// Both what was just measured and what a file holds pass through here, so that no document says more than its runs
/// support under the present rules.
struct JudgedExperiment {
  let description: ExperimentDescription
  let headline: Metric
  let comparisons: [Comparison]
  private let arms: [ArmResults]
  private let discarded: [DiscardedRun]
  private let companions: [CompanionExperiment]
  private let pairing: ArmPairing

  init(
    _ description: ExperimentDescription, arms: [ArmResults], discarded: [DiscardedRun],
    companions: [CompanionExperiment]
  ) {
    self.description = description
    self.arms = arms
    self.discarded = discarded.sorted { ($0.repetition, $0.arm) < ($1.repetition, $1.arm) }
    self.companions = companions
    headline = description.rules.headline(of: description.scenario)
    pairing = ArmPairing(arms, rules: description.rules)
    let judge = ComparisonJudge(
      rules: description.rules, provenance: description.provenance,
      roundTripMilliseconds: description.scenario.link.roundTripMilliseconds)
    comparisons = judge.comparisons(of: pairing.pairs, headline: headline)
  }

  func results(budgets: [BudgetOutcome], plots: PlotData) -> ExperimentResults {
    let text = VerdictText(
      description: description, headline: headline, arms: arms, pairing: pairing, comparisons: comparisons)
    let caveats = ReportCaveats(
      description: description, headline: headline, arms: arms, comparisons: comparisons, discarded: discarded,
      companions: companions)
    return ExperimentResults(
      header: Header(
        question: text.question, verdict: text.verdict, caveat: text.caveat, provenance: description.provenance,
        honesty: caveats.sentences),
      scenario: description.scenario, rules: description.rules, arms: arms, comparisons: comparisons,
      discarded: discarded, budgets: budgets, plots: plots, companions: companions)
  }
}
