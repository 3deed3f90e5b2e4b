import LinkModel

/// Turns runs into results. Runs are added one by one and are not kept, so that an experiment may have thousands.
package struct ExperimentAnalysis {
  /// May be completed while runs are added, as by the time of the end.
  package var description: ExperimentDescription
  private var arms: [String: ArmAccount] = [:]
  private var order: [String]
  private var discarded: [DiscardedRun] = []

  package init(_ description: ExperimentDescription) {
    self.description = description
    order = []
    for arm in description.arms where arms[arm.name] == nil {
      arms[arm.name] = ArmAccount(arm)
      order.append(arm.name)
    }
  }

  /// All at once.
  package static func results(
    _ description: ExperimentDescription, runs: [RunRecord], companions: [Companion] = []
  ) -> ExperimentResults {
    var analysis = ExperimentAnalysis(description)
    for run in runs { analysis.add(run) }
    return analysis.results(companions: companions) { arm, repetition in
      runs.first { $0.arm == arm && $0.repetition == repetition }
    }
  }

  /// Measures a run and keeps its metrics, or answers with the rule by which it was discarded.
  @discardableResult
  package mutating func add(_ record: RunRecord) -> DiscardedRun? {
    var account = arms[record.arm] ?? ArmAccount(ArmDescription(name: record.arm, label: record.arm))
    if arms[record.arm] == nil { order.append(record.arm) }
    let measurement = RunMeasurement(record, scenario: description.scenario)
    let reason =
      account.hasRun(record.repetition)
      ? "a run of this arm and repetition was there already"
      : description.rules.reasonToDiscard(measurement, of: record)
    account.note(record, cameToNothing: reason?.hasPrefix(ExperimentRules.nothingCame) == true)
    if reason == nil { account.keep(measurement) }
    arms[record.arm] = account
    guard let reason else { return nil }
    return discard(arm: record.arm, repetition: record.repetition, rule: reason)
  }

  /// Notes a run of which there is no record, as one whose client ended with an error.
  @discardableResult
  package mutating func discard(arm: String, repetition: Int, rule: String) -> DiscardedRun {
    let run = DiscardedRun(arm: arm, repetition: repetition, rule: rule)
    discarded.append(run)
    return run
  }

  /// The results of what was added so far.
  ///
  /// - Parameter load: gives a run again, so that its timeline can be drawn; asked for one repetition of each arm.
  package func results(
    companions: [Companion] = [], load: (_ arm: String, _ repetition: Int) -> RunRecord?
  ) -> ExperimentResults {
    let scenario = description.scenario
    let discarded = discarded.sorted { ($0.repetition, $0.arm) < ($1.repetition, $1.arm) }
    let bootstrap = Bootstrap(seed: description.provenance.seed, resamples: description.rules.resamples)
    let accounts = order.compactMap { arms[$0] }
    let armResults = accounts.map { $0.results(scenario: scenario, bootstrap: bootstrap) }
    let headline = description.rules.headline(of: scenario)
    let pairing = ArmPairing(armResults, rules: description.rules)
    let paired = PairedComparison(
      rules: description.rules, noiseFloorMilliseconds: description.provenance.noiseFloorMilliseconds,
      roundTripMilliseconds: scenario.link.roundTripMilliseconds, bootstrap: bootstrap)
    let comparisons = pairing.pairs.flatMap {
      paired.comparisons(of: $0.arm, against: $0.baseline, headline: headline)
    }
    let text = VerdictText(
      description: description, headline: headline, arms: armResults, pairing: pairing, comparisons: comparisons)
    let honesty = ReportCaveats(
      description: description, headline: headline, arms: armResults, comparisons: comparisons, discarded: discarded,
      companions: companions)
    let plots = PlotDataBuilder(scenario: scenario, headline: headline)
    return ExperimentResults(
      header: Header(
        question: text.question, verdict: text.verdict, caveat: text.caveat, provenance: description.provenance,
        honesty: honesty.sentences),
      scenario: scenario, arms: armResults, comparisons: comparisons, discarded: discarded,
      budgets: description.budgets.flatMap { $0.outcomes(armResults) },
      plots: PlotData(
        distributions: accounts.compactMap { plots.distribution(arm: $0.description.name, $0.excess) },
        timelines: plots.timelines(arms: armResults, comparisons: comparisons, load: load)),
      companions: companions)
  }
}
