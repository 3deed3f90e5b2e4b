import LinkModel

/// The sentences that stand in every report, whatever the result.
struct ReportCaveats {
  let description: ExperimentDescription
  let headline: Metric
  let arms: [ArmResults]
  let comparisons: [Comparison]
  let discarded: [DiscardedRun]
  let companions: [CompanionExperiment]

  private var scenario: ScenarioSummary { description.scenario }

  var sentences: [String] {
    let always = [
      realisedLoss, discards, latencyFromTheSchedule, missingEvents, streams, baselineWins, multiplicity, equivalence,
      noiseFloor, intervals, blocking,
    ]
    return (always + [lateness, clockWarning, connections].compactMap { $0 })
  }

  private var realisedLoss: String {
    let parts = [LinkDirection.toClient, .toServer].compactMap { direction -> String? in
      let losses = arms.filter { !$0.runs.isEmpty }.compactMap { arm in
        arm.realisedLoss.first { $0.direction == direction }.map { (arm.label, $0) }
      }
      guard !losses.isEmpty else { return nil }
      let configured =
        losses.compactMap(\.1.configuredPercent).first.map { "\(Metric.number($0)) % configured: " } ?? ""
      let list = losses.map { Self.realised($1, label: $0) }.joined(separator: ", ")
      return "toward the \(direction == .toClient ? "client" : "server") \(configured)\(list)"
    }
    guard !parts.isEmpty else { return "Realised loss: not known, as there is no packet log." }
    return "Realised loss, with the configured one in its 99 % interval unless it says otherwise: "
      + "\(parts.joined(separator: "; "))."
  }

  private static func realised(_ loss: RealisedLoss, label: String) -> String {
    guard let percent = loss.realisedPercent else { return "\(label) no packet" }
    guard loss.isAsConfigured == false else { return "\(label) \(Metric.number(percent)) %" }
    return "\(label) \(Metric.number(percent)) % NOT as configured (\(Metric.number(loss.lowPercent)) to "
      + "\(Metric.number(loss.highPercent)) %)"
  }

  private var discards: String {
    let warmUps = discarded.count { $0.repetition < 0 }
    let others = discarded.filter { $0.repetition >= 0 }
    let list = others.prefix(20).map { "\($0.arm) run \($0.repetition) (\($0.rule))" }.joined(separator: "; ")
    let rest = others.count > 20 ? "; and \(others.count - 20) more" : ""
    let kept = arms.map { "\($0.label) \($0.runs.count)" }.joined(separator: ", ")
    return description.rules.sentence + " Discarded: \(DifferenceText.count(warmUps, "warm-up run")) and "
      + (others.isEmpty ? "no other." : "\(DifferenceText.count(others.count, "other")): \(list)\(rest).")
      + " Kept runs: \(kept.isEmpty ? "none" : kept)."
  }

  private var latencyFromTheSchedule: String {
    "Latency counts from a schedule made before the run and not from the write, so that a stalled writer hides no event "
      + "(no coordinated omission); the server's own lateness is contained in it and reported separately."
  }

  private var missingEvents: String {
    let lost = arms.map { arm in
      let number = arm.runs.reduce(0) { $0 + Int($1.values[.lostEvents] ?? 0) }
      let failed = arm.runs.count { $0.failure != nil }
      return "\(arm.label) \(number)" + (failed > 0 ? " (\(DifferenceText.count(failed, "run")) not whole)" : "")
    }
    return "An event that never came counts as late until its run's end, so its latency is a lower bound; events that "
      + "never came: \(lost.isEmpty ? "none" : lost.joined(separator: ", "))."
  }

  private var streams: String {
    if scenario.downloadBytes != nil { return "This is one download; it says nothing about streams of small events." }
    let singles = companions.filter { $0.scenario.streams == 1 && scenario.streams > 1 }
    guard scenario.streams > 1 else {
      return "This is the single-stream case: on one stream HTTP/3 has no head-of-line blocking to avoid."
    }
    guard let single = singles.first else {
      return
        "With one stream on a connection there is no head-of-line blocking between streams to avoid; that case was "
        + "not measured here, and the difference must not be carried over to it."
    }
    return "The same with one stream: \(single.verdict)"
  }

  private var baselineWins: String {
    let known =
      "Others found HTTP/3 behind on fast links (above about 600 Mbit/s, arXiv 2310.09423), under reordering "
      + "(Kakhki et al., IMC 2017) and where networks throttle or block UDP."
    let lost = comparisons.filter { $0.judgement.finding == .baselineBetter }
    let list = lost.prefix(12).map { "\($0.metric.label) against \(label($0.baseline))" }.joined(separator: ", ")
    let arm = label(comparisons.first?.arm ?? "")
    return lost.isEmpty
      ? "\(known) Here no metric was found better for another arm."
      : "\(known) Here \(arm) was found worse in \(list)\(lost.count > 12 ? " and \(lost.count - 12) more" : "")."
  }

  private var multiplicity: String {
    let counts = Judgement.Finding.allCases.map { finding in
      (finding, comparisons.count { $0.judgement.finding == finding })
    }
    func count(_ finding: Judgement.Finding) -> Int { counts.first { $0.0 == finding }?.1 ?? 0 }
    let primary = comparisons.count { $0.role == .primary }
    return
      "Chosen before the first run, and so primary: \(headline.label), \(DifferenceText.count(primary, "comparison"))"
      + (description.rules.stated == .beforeRuns ? ". " : "; how it is judged was decided after the runs. ")
      + "The other \(comparisons.count - primary) are exploratory. Each group is corrected by Holm's method, so that one "
      + "difference or more that is none is found in at most one report in twenty. \(count(.armBetter) + count(.baselineBetter)) "
      + "showed a difference, \(count(.equivalent)) equivalence, \(count(.undecided)) neither; \(count(.belowNoiseFloor)) lay "
      + "below the noise floor and \(count(.tooFew)) had too few pairs."
  }

  private var equivalence: String {
    description.rules.equivalenceMilliseconds.map {
      "\"No difference\" is said where the whole interval lies within ± \(Metric.number($0)) ms, a bound declared before the "
        + "runs; \"no difference shown\" says that the runs decide neither."
    } ?? "No bound of equivalence was declared before these runs, so that there is no difference cannot be found."
  }

  private var noiseFloor: String {
    "Differences below the noise floor are not judged; "
      + (description.provenance.isSimulated
        ? "these runs were simulated in virtual time, without a machine's noise."
        : "a comparison's floor is the largest lateness at p99 that the emulated link had in its own runs, and at least "
          + "\(Metric.number(NoiseFloor.leastMilliseconds)) ms.")
  }

  private var intervals: String {
    let seeds = Set(arms.flatMap(\.runs).map(\.seed)).count
    return "Intervals are of the median, by sign tests that assume no shape: 95 % of them hold it, of the lab's own "
      + "differences as of worse ones (see the coverage table in the lab's documentation). From "
      + "\(MedianTest.fewestSeeds) seeds on, seeds are clusters whose runs may depend on each other; "
      + (seeds >= MedianTest.fewestSeeds
        ? "here there are \(seeds)."
        : "here there is one: runs count as independent, as each has draws of its own, and what they share by their seed "
          + "is not in the intervals.")
  }

  private var blocking: String {
    let counts = arms.flatMap(\.runs).compactMap { run in run.attributedEvents.map { ($0, run.events) } }
    let total = counts.reduce(0) { $0 + $1.1 }
    let share = total > 0 ? 100 * Double(counts.reduce(0) { $0 + $1.0 }) / Double(total) : 0
    return
      "Head-of-line blocking and recovery come from the link's own log: an event belongs to the first packet toward "
      + "the client that entered within 5 ms after the event was written and has room for it; "
      + (total > 0 ? "\(Metric.number(share)) % of the events have such a packet." : "there is no log here.")
  }

  private var lateness: String? {
    let parts = [(Metric.serverLatenessP99, "the server's own"), (.linkLatenessP99, "the emulated link's own")]
      .compactMap { metric, name -> String? in
        let values = arms.compactMap { arm in
          arm.summary.first { $0.metric == metric }.map { "\(arm.label) \(metric.text($0.median))" }
        }
        return values.isEmpty ? nil : "\(name): \(values.joined(separator: ", "))"
      }
    return parts.isEmpty ? nil : "Lateness at p99, median over runs, \(parts.joined(separator: "; "))."
  }

  /// A packet cannot come before its delay has passed: 0.05 ms is what rounding and two clock readings may make.
  private var clockWarning: String? {
    let lowest = arms.flatMap(\.runs).compactMap(\.rawMinimumExcess).min()
    guard let lowest, lowest < -0.05 else { return nil }
    return "WARNING: events came up to \(Metric.number(-lowest)) ms before the configured delay allows (counted as 0): "
      + "the delay or the clock is not what was configured, or packets skipped the delay as configured."
  }

  private var connections: String? {
    guard scenario.streams > 1, arms.contains(where: { $0.name.hasPrefix("h1") }) else { return nil }
    return "HTTP/1.1 uses one connection a stream, \(scenario.streams) here: a loss blocks only its own stream, at the "
      + "price of as many handshakes and congestion windows."
  }

  private func label(_ name: String) -> String { arms.first { $0.name == name }?.label ?? name }
}
