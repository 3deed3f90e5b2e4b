import ResolveKitCore

/// A codex beside the runtime, as its lane speaks with it.
protocol HostedCodex: Sendable {
  /// Keeps it running until the task is cancelled, and tells what happens, in order. Throws where no attempt can help.
  func run(_ tell: @escaping @Sendable (HostedCodexEvent) async -> Void) async throws

  /// Asks it. Throws ``LaneRefusal``.
  func call(_ method: String, _ params: JSONValue) async throws -> JSONValue
}

/// A change in a codex beside the runtime.
enum HostedCodexEvent: Sendable {
  /// It can be asked.
  case started(version: String)
  /// It said something.
  case told(method: String, params: JSONValue)
  /// It ended, and is started again.
  case ended(reason: String)
}
