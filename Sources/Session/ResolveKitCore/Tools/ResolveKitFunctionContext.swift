/// The context of the call that a tool serves.
public struct ResolveKitFunctionContext: Hashable, Sendable {
  public let sessionID: String?
  /// The id of the call, unique within its turn.
  public let requestID: String?

  public init(sessionID: String? = nil, requestID: String? = nil) {
    self.sessionID = sessionID
    self.requestID = requestID
  }
}
