/// A worker's status, as the contract spells it.
package enum WorkerStatus: String, Sendable, CaseIterable {
  case starting
  case running
  case stopping
  case stopped
  case failed
}
