import CodexRemoteContract
import ResolveKitCore

@testable import CodexCompanion
@testable import WorkerRuntime

/// The scripted codex as the hosted lane speaks with it.
final class HostedScript: HostedCodex {
  private let codex: ScriptedCodex
  private let events = AsyncStream.makeStream(of: HostedCodexEvent.self)

  init(_ codex: ScriptedCodex) { self.codex = codex }

  func report(_ event: HostedCodexEvent) { events.continuation.yield(event) }

  func run(_ report: @escaping @Sendable (HostedCodexEvent) async -> Void) async throws {
    for await event in events.stream { await report(event) }
    try Task.checkCancellation()
  }

  func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    do {
      return .object(try await codex.call(method, params.objectValue ?? [:]))
    } catch let error as CodexCallError {
      switch error.code {
      case .refused: throw LaneRefusal.byCodex(error.message)
      case .timedOut: throw LaneRefusal(.timeout, error.message)
      case .unavailable, .busy: throw LaneRefusal(.workerUnavailable, error.message, isRetryable: true)
      }
    }
  }
}
