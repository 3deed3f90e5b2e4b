/// Calls that arrived within one window and are decided together.
public struct ToolCallChecklistBatch: Identifiable, Hashable, Sendable, Codable {
  /// Counts up from 1 within a runtime.
  public let id: Int
  /// The turn that the calls belong to.
  public let turnID: String
  /// The state that follows from the statuses of ``items``.
  public var state: ResolveKitToolCallBatchState
  /// The calls, in the order of their arrival.
  public var items: [ToolCallChecklistItem]

  /// Creates a batch, as a test of an app does; a runtime makes its own.
  public init(id: Int, turnID: String, state: ResolveKitToolCallBatchState, items: [ToolCallChecklistItem]) {
    self.id = id
    self.turnID = turnID
    self.state = state
    self.items = items
  }
}
