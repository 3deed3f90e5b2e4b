/// The wait before codex is started again; it doubles with each end that came soon.
package struct RestartRule: Equatable, Sendable {
  private let base: Duration
  private let ceiling: Duration
  /// A life of that length makes the count begin again.
  private let goodWhile: Duration
  /// Ends in a row, the last included.
  package private(set) var failures = 0

  package init(
    base: Duration = .milliseconds(500), ceiling: Duration = .seconds(60), goodWhile: Duration = .seconds(60)
  ) {
    self.base = base
    self.ceiling = ceiling
    self.goodWhile = goodWhile
  }

  /// The wait after a life of that length; zero for a start that failed. Between a half and the whole of base · 2ⁿ⁻¹.
  package mutating func wait(afterLife life: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
    failures = life >= goodWhile ? 1 : min(failures + 1, 1_000)
    var longest = min(base, ceiling)
    for _ in 1..<failures where longest < ceiling { longest = min(longest + longest, ceiling) }
    return longest * Double.random(in: 0.5...1, using: &generator)
  }
}
