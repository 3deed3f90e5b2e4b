/// The seed of a link: the same scenario and repetition give the same conditions to every protocol.
package struct LinkSeed: Codable, Hashable, Sendable {
  package var scenario: UInt64
  package var repetition: UInt64

  package init(scenario: UInt64, repetition: UInt64) {
    self.scenario = scenario
    self.repetition = repetition
  }
}
