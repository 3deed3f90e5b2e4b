/// A delay that jumps at set times, and the loss after each jump.
struct DelayStepProcess: Sendable {
  private let every: Int64
  private let amplitude: Double
  private let lossRate: Double
  private let lossDuration: Int64
  private let offsetSeed: UInt64
  private var lossGenerator: LinkGenerator

  init(_ steps: DelaySteps, seed: LinkSeed, _ direction: LinkDirection) {
    every = max(1, LinkTime.nanoseconds(steps.everyMilliseconds))
    amplitude = steps.amplitudeMilliseconds * LinkTime.perMillisecond
    lossRate = steps.lossRate ?? 0
    lossDuration = LinkTime.nanoseconds(steps.lossDurationMilliseconds ?? 0)
    offsetSeed = seed.value(for: .delayStepOffsets)
    lossGenerator = seed.generator(for: .delayStepLoss, direction)
  }

  /// The addition to the delay at this time after the link's start; 0 until the first step.
  ///
  /// Each step's offset comes from its own number, so it is the same in any order of calls.
  func offset(at elapsed: Int64) -> Int64 {
    guard elapsed >= every else { return 0 }
    var generator = LinkGenerator(seed: offsetSeed &+ UInt64(elapsed / every))
    return LinkTime.nearest((generator.unit() * 2 - 1) * amplitude)
  }

  /// Whether a packet is lost in the unrest after a step.
  mutating func drops(at elapsed: Int64) -> Bool {
    guard elapsed >= every, elapsed % every < lossDuration else { return false }
    return lossGenerator.chance(lossRate)
  }
}
