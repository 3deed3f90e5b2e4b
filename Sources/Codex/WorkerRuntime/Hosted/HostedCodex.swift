import ResolveKitCore

/// A codex beside the runtime, as its lane speaks with it.
protocol HostedCodex: Sendable {
  /// Keeps it running until the task is cancelled, and reports what happens, in order. Throws where no attempt can
  /// help.
  func run(_ report: @escaping @Sendable (HostedCodexEvent) async -> Void) async throws

  /// Asks it. Throws ``LaneRefusal``.
  func call(_ method: String, _ params: JSONValue) async throws -> JSONValue
}

/// A change in a codex beside the runtime.
enum HostedCodexEvent: Sendable {
  /// It takes requests.
  case started(version: String)
  /// Sent a notification.
  case notified(method: String, params: JSONValue)
  /// Ended, and is started again.
  case ended(reason: String)
}
