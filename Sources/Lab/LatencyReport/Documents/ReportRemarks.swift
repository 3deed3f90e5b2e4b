/// The sentences that every report contains, whatever the experiment.
enum ReportRemarks {
  static func sentences(_ results: ExperimentResults) -> [String] {
    completed(results.header.honesty, for: [results])
  }

  /// The sentences of a grid: what holds for all its experiments, and the sums of the rest.
  static func sentences(sweep: [ExperimentResults]) -> [String] {
    let common = sweep.first.map { first in
      first.header.honesty.filter { sentence in sweep.allSatisfy { $0.header.honesty.contains(sentence) } }
    }
    return completed((common ?? []) + [realisedLoss(sweep)].compactMap { $0 }, for: sweep)
  }

  private static func completed(_ said: [String], for experiments: [ExperimentResults]) -> [String] {
    var sentences = said
    func add(unless subject: String, _ sentence: String?) {
      if let sentence, !said.contains(where: { $0.lowercased().contains(subject) }) { sentences.append(sentence) }
    }
    add(unless: "discard", discards(experiments))
    add(unless: "not whole", failures(experiments))
    let floors = Set(experiments.map(\.noiseFloorMilliseconds)).sorted().map(NumberText.plain)
    add(
      unless: "noise floor",
      "Differences below the noise floor of \(floors.joined(separator: " or ")) ms are not judged.")
    return sentences
  }

  private static func discards(_ experiments: [ExperimentResults]) -> String {
    let discarded = experiments.reduce(0) { $0 + $1.discarded.count }
    guard discarded > 0 else { return "No run was discarded." }
    let areAllEarlier = experiments.allSatisfy { $0.rules.stated == .beforeRuns }
    return "\(count(discarded, "run")) discarded by rules that were stated "
      + (areAllEarlier ? "before the runs." : "after runs of an earlier version.")
  }

  private static func failures(_ experiments: [ExperimentResults]) -> String? {
    let failures = experiments.flatMap(\.arms).reduce(0) { $0 + $1.runs.count { $0.failure != nil } }
    guard failures > 0 else { return nil }
    return "\(count(failures, "kept run")) \(failures == 1 ? "is" : "are") not whole; what never came counts as late."
  }

  private static func realisedLoss(_ experiments: [ExperimentResults]) -> String? {
    let judged = experiments.flatMap(\.arms).flatMap(\.realisedLoss).compactMap(\.isAsConfigured)
    guard !judged.isEmpty else { return nil }
    return
      "The realised loss was as configured, within its 99 % interval, in \(judged.count { $0 }) of \(judged.count) "
      + "cases (one for each arm, direction and cell); at 99 % about one in a hundred falls outside by chance."
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
