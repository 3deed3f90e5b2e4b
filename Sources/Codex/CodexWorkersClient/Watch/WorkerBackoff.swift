/// The time before another attempt on a worker's stream: doubled with every failure in a row, with jitter.
package struct WorkerBackoff: Hashable, Sendable {
  /// Failures in a row.
  package private(set) var failures = 0

  package init() {}

  package mutating func succeeded() { failures = 0 }

  package mutating func failed() { failures = min(failures + 1, 64) }

  /// `min(250 · 2ⁿ⁻¹, 8000)` ms after failure n and up to half of that more; nothing where none came before.
  package func delay(using generator: inout some RandomNumberGenerator) -> Duration {
    guard failures > 0 else { return .zero }
    let milliseconds = min(250 << min(failures - 1, 10), 8_000)
    return .milliseconds(milliseconds) + .milliseconds(Int.random(in: 0...(milliseconds / 2), using: &generator))
  }
}
