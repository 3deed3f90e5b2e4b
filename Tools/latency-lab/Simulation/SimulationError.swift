/// The reason for which a simulation could not be made, in one sentence.
struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
