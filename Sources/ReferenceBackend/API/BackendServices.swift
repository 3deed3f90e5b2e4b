import Logging

/// What the routes work with.
struct BackendServices: Sendable {
  let appID: String
  let keys: APIKeys
  let tokens: CapabilityTokens
  let sessions: SessionStore
  let functions: FunctionStore
  let turnStore: TurnStore
  let turns: TurnEngine
  let log: any EventLog
  let feed: EventFeed
  let settings: BackendSettings
  let now: @Sendable () -> WallTime
  let clock: any Clock<Duration>
}
