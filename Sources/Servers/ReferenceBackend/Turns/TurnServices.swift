import EventLedger
import Logging

/// The services that turns use.
struct TurnServices: Sendable {
  let model: any ModelAdapter
  let sessions: SessionStore
  let turns: TurnStore
  let functions: FunctionStore
  let calls: CallStore
  let log: SessionLog
  let leases: TurnLeases
  let rules: TurnRules
  let faults: BackendFaults
  let now: @Sendable () -> WallTime
  let clock: any Clock<Duration>
  let logger: Logger

  /// Gives up a lease under which nothing is to be said.
  ///
  /// A turn that began meanwhile and lost its stream by it is found again by the lease, as one whose process is gone.
  func giveUp(_ lease: LedgerLease, of sessionID: String) async throws {
    guard try await turns.running(in: sessionID) == nil else { return await leases.handOver(lease) }
    await leases.release(lease)
  }
}
