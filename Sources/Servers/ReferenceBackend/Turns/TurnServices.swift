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
}
