import LinkModel

/// Gaps between tokens as they arrive, and how much of them the network made.
extension MetricValues {
  mutating func measureGaps(_ run: RunTimes) {
    var gaps: [Double] = []
    var variations: [Double] = []
    for (_, events) in run.streams {
      var previous: EventRecord?
      for event in events {
        guard let received = event.received else { continue }
        if let previous, let before = previous.received {
          let gap = max(0, RunTimes.milliseconds(from: before, to: received))
          gaps.append(gap)
          // Events on both sides of one that never arrived are not neighbours, and their difference means nothing.
          if event.sequence == previous.sequence &+ 1 {
            let sent = RunTimes.milliseconds(
              from: previous.written ?? previous.scheduled, to: event.written ?? event.scheduled)
            variations.append(abs(gap - sent))
          }
        }
        previous = event
      }
    }
    gaps.sort()
    variations.sort()
    self[.gapP50] = Quantile.nearestRank(0.5, sorted: gaps)
    self[.gapP99] = Quantile.nearestRank(0.99, sorted: gaps)
    self[.gapMax] = gaps.last
    self[.delayVariationP99] = Quantile.nearestRank(0.99, sorted: variations)
    self[.delayVariationMax] = variations.last
  }
}
