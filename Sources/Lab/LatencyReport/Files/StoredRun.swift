/// One run as a `results.json` holds it, before it is known whether there can be such a run.
struct StoredRun: Decodable {
  private let repetition: Int
  /// Absent in files of the first version, whose runs all have the experiment's seed.
  private let seed: UInt64?
  private let values: [Metric: Double]
  private let events: Int
  private let failure: String?
  private let rawMinimumExcess: Double?
  private let attributedEvents: Int?
  private let load: MachineLoad?

  /// No measurement of ours is larger, in whatever unit; sums of such numbers stay finite.
  private static let largest = 1e12
  /// The metrics of which none is below the one before in a run, but for the rounding of a histogram.
  private static let rising: [Metric] = [.excessP50, .excessP90, .excessP95, .excessP99, .excessP999, .excessMax]
  private static let rounding = 1.002

  /// Throws a sentence that says which run cannot be, and why.
  func metrics(arm: String, experimentSeed: UInt64) throws(FileError) -> RunMetrics {
    if let reason = impossibility {
      throw FileError("the run \(repetition) of the arm '\(arm)' can't be: \(reason)")
    }
    return RunMetrics(
      repetition: repetition, seed: seed ?? experimentSeed, values: values, events: events, failure: failure,
      rawMinimumExcess: rawMinimumExcess, attributedEvents: attributedEvents, load: load)
  }

  /// Nil where a run may be like this.
  private var impossibility: String? {
    if repetition < 0 { return "runs are counted from 0, and a warm-up is never kept" }
    if events < 0 { return "it has \(events) events" }
    if let attributedEvents, !(0...events).contains(attributedEvents) {
      return "packets are assigned to \(attributedEvents) of its \(events) events"
    }
    if let lost = values[.lostEvents], lost > Double(events) {
      return "\(Metric.number(lost)) of its \(events) events never came"
    }
    if let rawMinimumExcess, abs(rawMinimumExcess) > Self.largest { return "its smallest excess is out of all bounds" }
    for percent in [load?.stealPercent, load?.pressurePercent].compactMap({ $0 }) where !(0...100).contains(percent) {
      return "the machine's load was \(Metric.number(percent)) %"
    }
    return values.sorted { $0.key.rawValue < $1.key.rawValue }.lazy.compactMap(Self.impossibility).first ?? disorder
  }

  private static func impossibility(_ metric: Metric, _ value: Double) -> String? {
    let least = metric.mayBeNegative ? -largest : 0
    let most = metric.unit == .share ? 100 : largest
    // Not written as a range's test, so that what is no number fails too.
    return value >= least && value <= most ? nil : "its \(metric.label) is \(metric.text(value))"
  }

  private var disorder: String? {
    let present = Self.rising.compactMap { metric in values[metric].map { (metric, $0) } }
    for (lower, higher) in zip(present, present.dropFirst()) where lower.1 > higher.1 * Self.rounding {
      return "its \(lower.0.label) is larger than its \(higher.0.label)"
    }
    return nil
  }
}

extension Metric {
  /// Writers and links may be early by the clock's reading; nothing else is below 0.
  fileprivate var mayBeNegative: Bool { self == .serverLatenessP99 || self == .linkLatenessP99 }
}
