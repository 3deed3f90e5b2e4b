/// The context of the call that a tool serves.
public struct ResolveKitFunctionContext: Hashable, Sendable {
  /// The session that the call belongs to; nil outside a session, as in a test.
  public let sessionID: String?
  /// The id of the call, unique within its turn.
  public let requestID: String?

  /// Creates a context, as a test of a tool does; a runtime makes one for each call.
  public init(sessionID: String? = nil, requestID: String? = nil) {
    self.sessionID = sessionID
    self.requestID = requestID
  }
}
