import LinkModel

/// The arrival times of events, for a summary.
struct EventTimes: Sendable {
  private(set) var count = 0
  private(set) var first: Duration?
  private var last: Duration?
  private var gaps: [Duration] = []

  /// Gaps that are kept, 16 MiB of them.
  static let gapLimit = 1 << 20

  mutating func add(_ moment: Duration) {
    count += 1
    if first == nil { first = moment }
    if let last, gaps.count < Self.gapLimit { gaps.append(moment - last) }
    last = moment
  }

  var medianGap: Duration? { Quantile.nearestRank(0.5, sorted: gaps.sorted()) }
  var p99Gap: Duration? { Quantile.nearestRank(0.99, sorted: gaps.sorted()) }

  var summary: String {
    func milliseconds(_ duration: Duration) -> String { "\((duration.inMilliseconds * 10).rounded() / 10) ms" }
    guard let first else { return "no event" }
    var words = "\(count) \(count == 1 ? "event" : "events"), the first after \(milliseconds(first))"
    if let medianGap, let p99Gap {
      words += "; gaps: median \(milliseconds(medianGap)), p99 \(milliseconds(p99Gap))"
      if count - 1 > gaps.count { words += " of the first \(gaps.count)" }
    }
    return words
  }
}
