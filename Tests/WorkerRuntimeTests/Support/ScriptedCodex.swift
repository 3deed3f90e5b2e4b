import CodexRemoteContract
import ResolveKitCore
import Synchronization

@testable import WorkerRuntime

/// A codex that answers what a test says.
final class ScriptedCodex: HostedCodex {
  private let events = AsyncStream.makeStream(of: HostedCodexEvent.self)
  private let calls = Mutex<[(method: String, params: JSONValue)]>([])
  private let answer: @Sendable (String) async throws -> JSONValue

  init(_ answer: @escaping @Sendable (String) async throws -> JSONValue) { self.answer = answer }

  var asked: [(method: String, params: JSONValue)] { calls.withLock { $0 } }

  func report(_ event: HostedCodexEvent) { events.continuation.yield(event) }

  func run(_ report: @escaping @Sendable (HostedCodexEvent) async -> Void) async throws {
    for await event in events.stream { await report(event) }
    try Task.checkCancellation()
    throw LaneRefusal(.internalError, "codex cannot be started")
  }

  func end() { events.continuation.finish() }

  func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    calls.withLock { $0.append((method, params)) }
    return try await answer(method)
  }
}
