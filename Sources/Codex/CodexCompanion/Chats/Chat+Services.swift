import EventLedger
import Logging
import ResolveKitCore

extension Chat {
  /// The services that a chat needs of the companion.
  struct Services: Sendable {
    let link: any CodexLink
    let ledger: any EventLedger
    let approvals: Approvals
    let tools: ToolDefinitions
    /// Told of a question that waits.
    let alert: @Sendable (ApprovalRequest) -> Void
    let clock: any Clock<Duration>
    let now: @Sendable () -> WallTime
    let logger: Logger
  }
}
