package import HTTPTypes
package import TransportPolicy

/// A transport that reaches its origin at another authority on request (RFC 7838 § 2).
package protocol SteerableTransport: ResponsiveTransport {
  /// New connections go there, or to the origin itself for nil; the server proves to be the origin all the same.
  func steer(to alternative: AlternativeService?)

  /// Sends a request that may reach the server twice beside the handshake; nil where that cannot be or was refused.
  func sendEarly(_ request: HTTPRequest) async throws -> TransportResponse?

  /// Whether an attempt to connect still waits for name servers, so that nothing was sent to the server yet.
  var isLookingUp: Bool { get }

  /// Calls `watcher` from now on, in place of the one before, when the connection's path falls silent or answers.
  func watchPath(_ watcher: @escaping @Sendable (PathHealth) -> Void)

  /// Ends the connection if its path is silent now, since `other` has taken its place.
  func leaveSilentPath(for other: String) async
}

extension SteerableTransport {
  package var isLookingUp: Bool { false }
  package func watchPath(_ watcher: @escaping @Sendable (PathHealth) -> Void) {}
  package func leaveSilentPath(for other: String) async {}
}
