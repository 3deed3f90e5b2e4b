import LinkModel

/// Events that never arrived count as in flight until the run's deadline; a value that rests on one is a lower bound.
extension RunMetrics {
  func isLowerBound(_ metric: Metric) -> Bool {
    let missing = values[.lostEvents] ?? 0
    guard missing > 0 else { return false }
    return switch metric {
    case .excessP50: isMissing(0.5, missing: missing)
    case .excessP90: isMissing(0.9, missing: missing)
    case .excessP95: isMissing(0.95, missing: missing)
    case .excessP99: isMissing(0.99, missing: missing)
    case .excessP999: isMissing(0.999, missing: missing)
    case .excessMax, .stallTime200, .stallLongest, .stallShare100, .stallShare200, .stallShare500, .stallRatio,
      .readerPauseTime5, .readerPauseTime10, .reconnectGap, .downloadTime, .toolRoundTrip:
      true
    default: false
    }
  }

  /// Whether a quantile's nearest rank is one of the events that never came, which are taken as a run's latest.
  private func isMissing(_ quantile: Double, missing: Double) -> Bool {
    (quantile * Double(events) - 1e-9).rounded(.up) > Double(events) - missing
  }
}

extension ArmResults {
  /// The number of the arm's runs that have only a lower bound.
  func lowerBounds(_ metric: Metric) -> Int {
    runs.count { $0.values[metric] != nil && $0.isLowerBound(metric) }
  }

  /// Whether the median over runs would be larger if the runs that ended at the deadline had taken forever.
  func hasLowerBoundMedian(_ metric: Metric) -> Bool {
    guard lowerBounds(metric) > 0 else { return false }
    let values = runs.compactMap { run in run.values[metric].map { (value: $0, isBound: run.isLowerBound(metric)) } }
    return Quantile.median(values.map { $0.isBound ? .infinity : $0.value }) != Quantile.median(values.map(\.value))
  }
}

/// The mark of lower bounds in documents.
enum LowerBoundText {
  static let note =
    "Deadline: in these runs not every event came; what never came counts until the run's deadline, so the run's value "
    + "is a lower bound, and ≥ stands before a median that rests on one."

  /// For example "(deadline, 3 of 9 runs)"; nil where every run's value is exact.
  static func detail(_ arm: ArmResults, _ metric: Metric) -> String? {
    let bounds = arm.lowerBounds(metric)
    guard bounds > 0 else { return nil }
    let runs = arm.runs.count { $0.values[metric] != nil }
    return "(deadline, \(bounds) of \(DifferenceText.count(runs, "run")))"
  }
}
