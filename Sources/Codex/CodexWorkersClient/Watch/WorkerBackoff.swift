/// The time before another attempt on a worker's stream: doubled with every failure in a row, with jitter.
public struct WorkerBackoff: Hashable, Sendable {
  /// Failures in a row.
  public private(set) var failures = 0

  public init() {}

  public mutating func succeeded() { failures = 0 }

  public mutating func failed() { failures = min(failures + 1, 64) }

  /// `min(250 · 2ⁿ⁻¹, 8000)` ms after failure n and up to half of that more; nothing where none came before.
  public func delay(using generator: inout some RandomNumberGenerator) -> Duration {
    guard failures > 0 else { return .zero }
    let milliseconds = min(250 << min(failures - 1, 10), 8_000)
    return .milliseconds(milliseconds) + .milliseconds(Int.random(in: 0...(milliseconds / 2), using: &generator))
  }
}
