package import ResolveKitCore

/// Something that codex tells.
package struct AppServerNotification: Hashable, Sendable {
  /// What is told.
  package let kind: Kind
  package let method: String
  /// The params as they came, whatever the kind.
  package let params: JSONValue

  package init(method: String, params: JSONValue) {
    self.method = method
    self.params = params
    kind = Kind(method, ParamsReader(params))
  }

  /// The thread that it is about; nil where it is about none.
  package var threadID: String? { ParamsReader(params).threadID }

  /// The turn that it is about; nil where it is about none. A command can outlive its turn and still tells its id.
  package var turnID: String? { ParamsReader(params).turnID }

  /// A notification's method with what is read of its params.
  package enum Kind: Hashable, Sendable {
    case threadStarted(thread: JSONValue)
    case threadStatusChanged(AppServerThreadStatus)
    case threadClosed
    case threadNameUpdated(name: String?)
    case threadArchived
    case threadUnarchived
    case threadDeleted
    case turnStarted
    /// The end of a turn. Items that are still open will hardly complete.
    case turnCompleted(AppServerTurnEnd)
    /// The difference of the whole turn so far; takes the place of the one before, and is often equal to it.
    case turnDiffUpdated(diff: String)
    case turnPlanUpdated
    case tokenUsageUpdated
    case itemStarted(AppServerItem)
    /// What counts of an item; its deltas are incomplete.
    case itemCompleted(AppServerItem)
    case agentMessageDelta(itemID: String, delta: String)
    case planDelta(itemID: String, delta: String)
    case reasoningSummaryPartAdded(itemID: String, index: Int)
    case reasoningSummaryDelta(itemID: String, index: Int, delta: String)
    case reasoningTextDelta(itemID: String, index: Int, delta: String)
    case commandOutputDelta(itemID: String, delta: String)
    case fileChangeUpdated(itemID: String)
    case mcpToolCallProgress(itemID: String, message: String)
    /// A request of codex needs no answer any more.
    case requestResolved(AppServerID)
    /// With `willRetry` the turn goes on.
    case error(message: String, willRetry: Bool)
    case warning(message: String)
    case configWarning(summary: String)
    case deprecationNotice(summary: String)
    /// A method of the schema of which nothing is read here.
    case known
    /// A method that the schema does not have.
    case unknown
    /// A method that is read here, without what it must have.
    case unreadable
  }
}
