import LinkModel

/// The order of an experiment's runs: each repetition has every arm once, in an order of its own, so that a drift
/// of the machine affects all arms alike. Seeds take turns, so that an experiment that ends early has all of them.
struct RunOrder: Sendable {
  struct Run: Hashable, Sendable {
    var arm: Arm
    /// Counted from 0 over all seeds; -1 is the warm-up, whose runs are thrown away by rule.
    var repetition: Int
    var seed: UInt64
  }

  static let warmUp = -1

  let runs: [Run]

  init(arms: [Arm], repetitions: Int, seeds: ExperimentSeeds) {
    var generator = LinkGenerator(seed: seeds.first, purpose: "order of runs")
    var runs: [Run] = []
    for repetition in Self.warmUp..<repetitions {
      var order = arms
      // Fisher and Yates; the standard library's shuffle may change with its version.
      for index in order.indices.dropFirst().reversed() {
        order.swapAt(index, generator.below(index + 1))
      }
      runs += order.map { Run(arm: $0, repetition: repetition, seed: seeds.seed(ofRepetition: repetition)) }
    }
    self.runs = runs
  }
}
