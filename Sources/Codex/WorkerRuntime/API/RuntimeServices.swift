import EventLedger
import JSONService
import Logging

/// The services that the routes use.
struct RuntimeServices: Sendable {
  let storage: Storage
  let accounts: Accounts
  let signIn: SignIn
  /// The limit of sign-ins, by their source.
  let signInRate: SourceThrottle
  let registry: WorkerRegistry
  let events: EventDesk
  let requests: RequestDesk
  /// The limit of requests to workers, by user.
  let throttle: UserThrottle
  let readModel: ReadModel
  let seats: StreamSeats
  let budget: StreamBudget
  let dialect: Dialect
  let keepAlive: Duration
  let clock: any Clock<Duration>
  let now: @Sendable () -> WallTime
  let logger: Logger
}
