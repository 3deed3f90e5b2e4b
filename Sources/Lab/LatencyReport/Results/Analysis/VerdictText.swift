import LinkModel

/// The question, the verdict in one sentence, and what would change it.
struct VerdictText {
  let description: ExperimentDescription
  let headline: Metric
  let arms: [ArmResults]
  let pairing: ArmPairing
  let comparisons: [Comparison]

  private var scenario: ScenarioSummary { description.scenario }

  var question: String {
    let subject = "For \(scenario.workload) on \(scenario.name):"
    guard let pair = pairing.pairs.first else {
      return "\(subject) how does \(pairing.arm?.label ?? "a stream") do?"
    }
    return "\(subject) is \(pair.arm.label) better than \(pair.baseline.label), and by how much?"
  }

  var verdict: String {
    // Such runs are in no number that follows, so a verdict that kept silent about them would flatter their arm.
    let failures = arms.filter { $0.runsWithoutEvents > 0 }.map { arm in
      let all = arm.runs.count + arm.runsWithoutEvents
      return "nothing came over \(arm.label) in \(arm.runsWithoutEvents) of \(DifferenceText.count(all, "run"))"
    }
    let parts = failures + [judgement].compactMap { $0 }
    return "On \(place), " + parts.joined(separator: "; ") + "."
  }

  /// For example "loss-2 with 8 streams".
  private var place: String {
    scenario.downloadBytes != nil
      ? scenario.name : "\(scenario.name) with \(DifferenceText.count(scenario.streams, "stream"))"
  }

  private var judgement: String? {
    guard let pair = pairing.pairs.first else { return alone(pairing.arm) }
    let own = comparisons.filter { $0.arm == pair.arm.name && $0.baseline == pair.baseline.name }
    guard let main = own.first(where: { $0.metric == headline }) else {
      let present = [pair.arm, pair.baseline].filter { !$0.runs.isEmpty }
      guard present.count == 2 else { return alone(present.first) }
      return "\(pair.arm.label) and \(pair.baseline.label) have no common run with a \(headline.label), so there is no "
        + "verdict"
    }
    return sentence(main, pair) + objections(to: main, among: own) + lowerBounds(pair)
  }

  /// Runs of the pair that the deadline cut off: what they would have taken is not known.
  private func lowerBounds(_ pair: (arm: ArmResults, baseline: ArmResults)) -> String {
    let parts = [pair.arm, pair.baseline].compactMap { arm -> String? in
      let bounds = arm.lowerBounds(headline)
      return bounds > 0 ? "\(bounds) of \(DifferenceText.count(arm.runs.count, "\(arm.label) run"))" : nil
    }
    return parts.isEmpty
      ? "" : "; \(parts.joined(separator: " and ")) ended at the deadline, so these count as lower bounds"
  }

  private func sentence(_ main: Comparison, _ pair: (arm: ArmResults, baseline: ArmResults)) -> String {
    let (arm, baseline) = (pair.arm.label, pair.baseline.label)
    switch main.judgement {
    case .armBetter(let difference), .baselineBetter(let difference):
      return "\(arm)'s \(headline.label) was \(DifferenceText.sentence(difference, of: main, than: baseline))"
    case .equivalent(let equivalence):
      return "\(arm) and \(baseline) differ in \(headline.label) by less than the \(headline.text(equivalence.bound)) "
        + "declared as no difference (\(DifferenceText.interval(equivalence.interval, of: main)))"
    case .undecided(let undecided):
      return "no difference between \(arm) and \(baseline) in \(headline.label) is shown, nor that there is none "
        + "(\(DifferenceText.interval(undecided.interval, of: main)))"
    case .belowNoiseFloor:
      return "\(arm) and \(baseline) differ in \(headline.label) by less than the noise floor of "
        + "\(headline.text(main.noiseFloor)), which is not judged (\(DifferenceText.size(main.size)))"
    case .tooFew(let range):
      return "too few pairs for a verdict on \(arm) against \(baseline): \(DifferenceText.size(main.size)), at least "
        + "\(MedianTest.fewestValues) are needed (their differences in \(headline.label) range from "
        + "\(DifferenceText.range(range, headline)))"
    }
  }

  /// The median or tail where it contradicts the verdict: a verdict on one percentile must not hide it.
  private func objections(to main: Comparison, among own: [Comparison]) -> String {
    let others: [Metric] = [.excessP50, .excessP95, .excessP99, .lostEvents].filter { $0 != headline }
    let parts = others.compactMap { metric -> String? in
      guard let other = own.first(where: { $0.metric == metric }), let difference = other.judgement.difference,
        other.judgement.finding != main.judgement.finding
      else { return nil }
      return "its \(metric.label) was \(DifferenceText.sentence(difference, of: other, than: nil))"
    }
    return parts.isEmpty ? "" : ", but " + parts.joined(separator: " and ")
  }

  private func alone(_ arm: ArmResults?) -> String? {
    guard let arm else { return "there is no arm" }
    guard let summary = arm.summary.first(where: { $0.metric == headline }) else {
      return arm.runs.isEmpty && arm.runsWithoutEvents > 0
        ? nil : "no run of \(arm.label) is left, or none has a \(headline.label)"
    }
    let spread =
      switch summary.spread {
      case .interval(let ends): "95 % interval \(DifferenceText.range(ends, headline))"
      case .range(let ends): "too few for an interval, range \(DifferenceText.range(ends, headline))"
      }
    return "\(arm.label)'s \(headline.label) was \(headline.text(summary.median)) (median of "
      + "\(DifferenceText.count(summary.runs, "run")), \(spread)), with no other arm to compare it with"
  }

  /// The conditions that would change the verdict.
  var caveat: String {
    var causes: [String] = []
    if description.provenance.isSimulated { causes.append("real packets, a busy machine and another implementation") }
    if scenario.downloadBytes != nil {
      causes.append("another congestion control, a faster link or a larger queue")
    } else {
      causes.append(
        scenario.streams > 1
          ? "one stream on a connection, where nothing can block another stream"
          : "more streams on a connection, where a loss on one can block the others")
      causes.append("another loss, round trip or token rate")
    }
    causes.append("other clients and servers")
    return causes.joined(separator: "; ") + ". It holds for this link, this workload and these programs alone."
  }
}
