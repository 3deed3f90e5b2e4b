import EventLedger
import JSONService
import Logging

/// The services that the routes use.
struct BackendServices: Sendable {
  let appID: String
  let keys: APIKeys
  let operatorKeys: APIKeys
  let tokens: CapabilityTokens
  let clientTokens: ClientTokens
  let sessions: SessionStore
  let feedback: FeedbackStore
  let functions: FunctionStore
  let turnStore: TurnStore
  let turns: TurnEngine
  let log: SessionLog
  let feed: LedgerFeed
  let seats: StreamSeats
  let budget: StreamBudget
  let publisher: EventPublisher
  let settings: BackendSettings
  let faults: BackendFaults
  let now: @Sendable () -> WallTime
  let clock: any Clock<Duration>
  let logger: Logger
}
