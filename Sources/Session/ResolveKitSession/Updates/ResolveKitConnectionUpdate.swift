public import ResolveKitCore
public import StreamTransport

/// A new state of the connection, or a new attempt within it.
public struct ResolveKitConnectionUpdate: Equatable, Sendable {
  /// The state from now on.
  public var state: ResolveKitConnectionState
  /// Attempts since the stream was last open; 0 while it is.
  public var attempt: Int
  /// The time until the next attempt begins; nil while one is under way, and where there is none to come.
  public var nextTry: Duration?
  /// Why, in words; nil where there is nothing to say.
  public var reason: String?
  /// The HTTP version in use, nil while there is no connection.
  public var transport: TransportKind?

  /// Creates an update, as a test of an app does; a runtime makes its own.
  public init(
    state: ResolveKitConnectionState, attempt: Int = 0, nextTry: Duration? = nil, reason: String? = nil,
    transport: TransportKind? = nil
  ) {
    self.state = state
    self.attempt = attempt
    self.nextTry = nextTry
    self.reason = reason
    self.transport = transport
  }
}
