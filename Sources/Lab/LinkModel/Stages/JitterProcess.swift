/// Random delay on top of the fixed one, one draw a packet.
struct JitterProcess: Sendable {
  private let jitter: Jitter
  private var generator: LinkGenerator

  init(_ jitter: Jitter, seed: LinkSeed, _ direction: LinkDirection) {
    self.jitter = jitter
    generator = seed.generator(for: .jitter, direction)
  }

  mutating func next() -> Int64 {
    switch jitter {
    case .uniform(let maximum):
      LinkTime.nanoseconds(generator.unit() * maximum)
    case .rightSkewed(let mean, let maximum):
      LinkTime.nanoseconds(min(maximum, generator.exponential(mean: mean)))
    }
  }
}
