/// A question to a person: calls that wait for a decision, as they are shown.
///
/// A decision is made for such a question, and counts for it alone. A question is over when it is decided, when the calls'
/// time is up or their turn ends; it is another one when some of its calls no longer wait. A decision that comes then is
/// refused, see ``ResolveKitDecisionRefusal``.
public struct ResolveKitApprovalRequest: Hashable, Sendable, Codable {
  /// The checklist that the calls belong to; its number is unique within the runtime.
  public let batchID: Int
  /// The turn that waits for the decision.
  public let turnID: String
  /// The calls, in the order of their arrival.
  public let calls: [ResolveKitPendingToolCall]

  /// Creates a question, as a test of an app does; a runtime makes its own.
  public init(batchID: Int, turnID: String, calls: [ResolveKitPendingToolCall]) {
    self.batchID = batchID
    self.turnID = turnID
    self.calls = calls
  }
}
