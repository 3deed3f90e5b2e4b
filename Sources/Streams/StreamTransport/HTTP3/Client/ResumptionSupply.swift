import Synchronization
import TransportRecords

/// Tickets of earlier connections for the attempts of one opening. A ticket is for one connection, so each attempt has
/// the next one, as long as there are some.
final class ResumptionSupply: Sendable {
  private let memory: ServerMemory
  /// Taken from the memory and not in use.
  private let spare: Mutex<RememberedServer?>

  /// - Parameter first: what the first attempt is to have.
  init(_ memory: ServerMemory, first: RememberedServer) {
    self.memory = memory
    spare = Mutex(first)
  }

  func take() async -> RememberedServer {
    if let unused = spare.withLock({ $0.take() }) { return unused }
    return await memory.take()
  }

  /// The attempt did not begin.
  func giveBack(_ unused: RememberedServer) {
    let other = spare.withLock { spare in
      defer { spare = unused }
      return spare
    }
    if let other { memory.putBack(other) }
  }

  /// No further attempt begins.
  func end() {
    if let unused = spare.withLock({ $0.take() }) { memory.putBack(unused) }
  }
}
