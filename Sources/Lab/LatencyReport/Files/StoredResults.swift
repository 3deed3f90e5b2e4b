import LinkModel

/// The parts of a `results.json` that are read: the runs and what was known before them. Everything that follows from
/// these, findings, intervals and words, is made again by the present rules, whatever the file says.
///
/// Version 1 has neither rules nor seeds: its first comparison names the verdict's subject, and all its runs have the
/// experiment's seed. Other experiments are not read, as a file does not hold their runs.
struct StoredResults: Decodable {
  private let header: StoredHeader
  private let scenario: ScenarioSummary
  private let rules: ExperimentRules?
  private let arms: [StoredArm]
  private let comparisons: [StoredComparison]
  private let discarded: [DiscardedRun]
  private let budgets: [Budget]
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
    var runs: [StoredRun]
    var realisedLoss: [RealisedLoss]
    var runsWithoutEvents: Int
  }

  /// Throws a sentence on the first run that there cannot have been.
  func results() throws(FileError) -> ExperimentResults {
    let rules = rules ?? rulesOfFirstVersion
    var discards: [DiscardedRun] = []
    var kept: [ArmResults] = []
    for arm in arms {
      let (runs, discarded) = try sorted(arm, rules)
      discards += discarded
      kept.append(
        ArmResults(
          name: arm.name, label: arm.label, client: arm.client, server: arm.server, isControl: arm.isControl,
          notes: arm.notes, runs: runs, realisedLoss: arm.realisedLoss, runsWithoutEvents: arm.runsWithoutEvents))
    }
    let description = ExperimentDescription(
      scenario: scenario, provenance: provenance(without: discards),
      arms: arms.map {
        ArmDescription(name: $0.name, label: $0.label, isControl: $0.isControl, notes: $0.notes)
      }, rules: rules)
    return JudgedExperiment(description, arms: kept, discarded: discarded + discards, companions: []).results(
      budgets: budgets.flatMap { $0.outcomes(kept) }, plots: plots(without: discards))
  }

  /// An arm's runs that the rules keep, and those that they do not.
  private func sorted(
    _ arm: StoredArm, _ rules: ExperimentRules
  ) throws(FileError) -> (kept: [RunMetrics], discarded: [DiscardedRun]) {
    var kept: [RunMetrics] = []
    var discarded: [DiscardedRun] = []
    var seen: Set<Int> = []
    for stored in arm.runs {
      let run = try stored.metrics(arm: arm.name, experimentSeed: header.provenance.seed)
      guard seen.insert(run.repetition).inserted else {
        throw FileError("the run \(run.repetition) of the arm '\(arm.name)' is there twice")
      }
      if let discard = rules.disturbance?.discards(run, of: arm.name) {
        discarded.append(discard)
      } else {
        kept.append(run)
      }
    }
    return (kept, discarded)
  }

  /// The plots of a file. One that pools an arm's runs cannot be taken apart again: where one of these is discarded,
  /// it is left out.
  private func plots(without discards: [DiscardedRun]) -> PlotData {
    PlotData(
      distributions: plots.distributions.filter { drawn in !discards.contains { $0.arm == drawn.arm } },
      timelines: plots.timelines.filter { drawn in
        !discards.contains { $0.arm == drawn.arm && $0.repetition == drawn.repetition }
      })
  }

  private func provenance(without discards: [DiscardedRun]) -> Provenance {
    var provenance = header.provenance
    let arms = arms.map(\.name).filter { name in discards.contains { $0.arm == name } }
    if !arms.isEmpty {
      provenance.settings.append(
        NamedValue(
          "pooled over runs that are discarded now",
          "the realised loss of \(arms.joined(separator: ", ")); their distributions are left out"))
    }
    return provenance
  }

  private var rulesOfFirstVersion: ExperimentRules {
    let headline = comparisons.first
    return ExperimentRules(
      stated: .afterRuns, equivalenceMilliseconds: nil, headlineMetric: headline?.metric, headlineArm: headline?.arm,
      headlineBaseline: headline?.baseline)
  }
}
