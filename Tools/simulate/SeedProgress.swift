import Synchronization

/// The sum of many seeds.
protocol SeedReport: Sendable {
  associatedtype Outcome
  mutating func add(_ outcome: Outcome)
}

/// Hands out seeds to threads, and gathers their outcomes.
final class SeedProgress<Report: SeedReport>: Sendable {
  private let seeds: Range<UInt64>
  private let nextSeed: Atomic<UInt64>
  private let gathered: Mutex<Report>

  init(seeds: Range<UInt64>, report: Report) {
    self.seeds = seeds
    nextSeed = Atomic(seeds.lowerBound)
    gathered = Mutex(report)
  }

  func next() -> UInt64? {
    let seed = nextSeed.wrappingAdd(1, ordering: .relaxed).oldValue
    return seeds.contains(seed) ? seed : nil
  }

  /// Hands out no more.
  func stop() { nextSeed.store(seeds.upperBound, ordering: .relaxed) }

  func add(_ outcome: Report.Outcome) {
    gathered.withLock { $0.add(outcome) }
  }

  var report: Report { gathered.withLock { $0 } }
}
