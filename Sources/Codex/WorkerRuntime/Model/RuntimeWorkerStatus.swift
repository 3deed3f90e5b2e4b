/// A worker's status, as the contract spells it.
package enum RuntimeWorkerStatus: String, Sendable, CaseIterable {
  case starting
  case running
  /// The contract has it between the wish and the end. Here a stop is one step, so that no worker is in it.
  case stopping
  case stopped
  case failed
}
