import ResolveKitCore
import ResolveKitNetworking

/// The session in use, as its creation answered, and the context that the server has of the client.
struct ServerSession {
  private(set) var current: ResolveKitSession?
  private(set) var sentContext: ContextUpdateRequest?
  /// Whether this runtime has created a session before.
  private(set) var wasCreated = false
  /// Whether the first creation is for a new session, whatever the configuration takes up.
  private(set) var mustBeNew: Bool

  init(mustBeNew: Bool = false) { self.mustBeNew = mustBeNew }

  /// The session that was offered is another instance's.
  mutating func demandNew() { mustBeNew = true }

  /// A creation was answered. The session may be the one in use, with a new token.
  mutating func take(_ session: ResolveKitSession, with context: ContextUpdateRequest) {
    current = session
    sentContext = context
    wasCreated = true
  }

  mutating func sent(_ context: ContextUpdateRequest) { sentContext = context }

  mutating func sent(locale: String) { sentContext?.locale = locale }
}
