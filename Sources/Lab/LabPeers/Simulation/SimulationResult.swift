package import EnginePair
package import HTTP3Engine

/// The outcome of one simulated scenario.
package struct SimulationResult: Sendable {
  package let seed: UInt64
  package var faults: [LinkFault: Int] = [:]
  /// Whether the server was started again, and whether the client came back with a ticket of before.
  package var hasRestarted = false
  package var hasResumed = false
  /// Whether the client continued at another address, and whether early data of it was accepted.
  package var hasMoved = false
  package var hasSentEarly = false
  /// Connections of the client, the first included.
  package var connections = 1
  package var requests = 0
  /// Content that came by repeats before its stream brought it, in bytes.
  package var earlyContentCount: UInt64 = 0
  /// Requests that ended with an error that says what happened.
  package var errors: [HTTP3Error] = []
  /// Requests that ended because the server's library had counted a connection id twice; they are none of ``errors``.
  package var requestsOfMiscounts = 0
  /// The violations: with one, the simulation has failed.
  package var violations: [String] = []
  package var virtualTime = Duration.zero

  package init(seed: UInt64) {
    self.seed = seed
  }
}
