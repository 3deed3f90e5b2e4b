import CodexWorkersClient
import ResolveKitCore
import Synchronization
import TestSupport

/// The device of a worker, written from the runtime's page: registers, gives signs of life, answers requests and handshakes
/// until its task is cancelled.
struct ScriptedDevice: Sendable {
  static let worker = "desktopw:host:shared"

  let client: WorkersClient

  /// Registers the worker. Returns where to begin.
  @discardableResult
  func register() async throws -> Int64 {
    let made = try await client.register(
      WorkerRegistration(workerID: Self.worker, adapter: "desktop_bridge"))
    _ = try await client.store(
      WorkerEventDraft(type: "worker.heartbeat", payload: ["source": "autopilot-desktop"]), in: Self.worker)
    return made.latestSequence
  }

  /// Answers what comes after an event. `thread/read` is refused, and `turn/start` is left without an answer.
  func serve(after cursor: Int64) async throws {
    try await client.watch(Self.worker, after: cursor) { update in
      guard case .event(let event) = update else { return .taken }
      if event.type == "worker.request" { try await answer(event) }
      if case .call(let id, _)? = HandshakeSignal(event) {
        _ = try await client.store(
          HandshakeSignal.acknowledgement(id: id, sessionID: "session-a").draft(at: "2026-02-20T00:00:00Z"),
          in: Self.worker, key: "ack \(id)".replacing(" ", with: "-"))
      }
      return .taken
    }
  }

  private func answer(_ event: WorkerEvent) async throws {
    guard let id = event.payload["request_id"], let method = event.payload["method"] else { return }
    var receipt: JSONObject = ["request_id": id, "method": method]
    switch method.stringValue {
    case "turn/start": return
    case "thread/read":
      receipt.merge(["code": "invalid_request", "message": "there is no such thread"]) { $1 }
      _ = try await client.store(WorkerEventDraft(type: "worker.error", payload: receipt), in: Self.worker)
    default:
      receipt.merge(["ok": true, "response": ["echo": event.payload["params"] ?? .null]]) { $1 }
      _ = try await client.store(WorkerEventDraft(type: "worker.response", payload: receipt), in: Self.worker)
    }
  }

  /// Runs a test while the device serves.
  static func run<Result: Sendable>(
    _ client: WorkersClient, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let device = ScriptedDevice(client: client)
    let start = try await device.register()
    let serving = Task { try await device.serve(after: start) }
    defer { serving.cancel() }
    return try await body()
  }
}
