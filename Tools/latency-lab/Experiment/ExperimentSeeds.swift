/// The seeds of an experiment: so many numbers from the first one on, which repetitions take in turn.
///
/// A seed makes the schedule, and with the repetition the link's draws.
struct ExperimentSeeds: Hashable, Sendable {
  let first: UInt64
  let count: Int

  init(first: UInt64, count: Int) {
    self.first = first
    self.count = max(1, count)
  }

  var all: [UInt64] { (0..<count).map { first &+ UInt64($0) } }

  /// The warm-up has the first.
  func seed(ofRepetition repetition: Int) -> UInt64 { first &+ UInt64(max(0, repetition) % count) }
}
