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
    _ description: ExperimentDescription, runs: [RunRecord], companions: [CompanionExperiment] = []
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
    let discard =
      account.hasRun(record.repetition)
      ? DiscardedRun(
        arm: record.arm, repetition: record.repetition, reason: .twice,
        rule: "a run of this arm and repetition was there already")
      : description.rules.discards(measurement, of: record)
    account.note(record, cameToNothing: discard?.reason == .nothingCame)
    if discard == nil { account.keep(measurement) }
    arms[record.arm] = account
    if let discard { discarded.append(discard) }
    return discard
  }

  /// Notes a run of which there is no record, as one whose client ended with an error.
  package mutating func discard(_ run: DiscardedRun) { discarded.append(run) }

  /// The results of what was added so far.
  ///
  /// - Parameter load: gives a run again, so that its timeline can be drawn; asked for one repetition of each arm.
  package func results(
    companions: [CompanionExperiment] = [], load: (_ arm: String, _ repetition: Int) -> RunRecord?
  ) -> ExperimentResults {
    let accounts = order.compactMap { arms[$0] }
    let results = accounts.map { $0.results(scenario: description.scenario) }
    let judged = JudgedExperiment(description, arms: results, discarded: discarded, companions: companions)
    let plots = PlotDataBuilder(scenario: description.scenario, headline: judged.headline)
    return judged.results(
      budgets: description.budgets.flatMap { $0.outcomes(results) },
      plots: PlotData(
        distributions: accounts.compactMap { plots.distribution(arm: $0.description.name, $0.excess) },
        timelines: plots.timelines(arms: results, comparisons: judged.comparisons, load: load)))
  }
}
