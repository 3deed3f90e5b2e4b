/// A delay that jumps, as when a satellite hands over.
package struct DelaySteps: Codable, Hashable, Sendable {
  package var everyMilliseconds: Double
  /// Each step draws a new offset evenly between minus and plus this.
  package var amplitudeMilliseconds: Double
  /// Loss in the time after each step.
  package var lossRate: Double?
  package var lossDurationMilliseconds: Double?

  package init(
    everyMilliseconds: Double, amplitudeMilliseconds: Double, lossRate: Double? = nil,
    lossDurationMilliseconds: Double? = nil
  ) {
    self.everyMilliseconds = everyMilliseconds
    self.amplitudeMilliseconds = amplitudeMilliseconds
    self.lossRate = lossRate
    self.lossDurationMilliseconds = lossDurationMilliseconds
  }
}
