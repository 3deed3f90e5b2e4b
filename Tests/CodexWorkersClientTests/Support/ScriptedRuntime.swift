import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport
import Synchronization
import TestSupport

@testable import CodexWorkersClient

/// The worker API in memory, with one worker and with faults that a test orders.
final class ScriptedRuntime: Sendable {
  /// The fate of the stream's next polls.
  enum Fault: Sendable {
    /// So many events, then a graceful end.
    case end(after: Int)
    /// So many events, then half of the next, then the connection is lost.
    case tear(after: Int)
    case status(Int, String, fields: HTTPFields = [:])
    /// There is no network: not even a connection.
    case unreachable
    /// The proxy's error event, with status 200.
    case errorEvent(String)
  }

  private struct State {
    var events: [WorkerEvent] = []
    var status = "running"
    var faults: [Fault] = []
    var refusals: [String: (Int, String)] = [:]
    var cursors: [Int64] = []
    var requestIDs: [String] = []
    var keys: [String?] = []
    var token = "good"
  }

  static let worker = "desktopw:host:shared"

  private let state = Mutex(State())

  var cursors: [Int64] { state.withLock { $0.cursors } }
  var requestIDs: [String] { state.withLock { $0.requestIDs } }
  var events: [WorkerEvent] { state.withLock { $0.events } }

  func fault(_ faults: Fault...) { state.withLock { $0.faults += faults } }

  /// Refuses the calls whose path ends so.
  func refuse(_ end: String, _ status: Int, _ body: String) { state.withLock { $0.refusals[end] = (status, body) } }

  func takeOnly(_ token: String) { state.withLock { $0.token = token } }

  func add(_ type: String = "worker.event", _ payload: JSONObject = [:]) {
    state.withLock { state in _ = Self.append(&state, type, payload) }
  }

  private static func append(_ state: inout State, _ type: String, _ payload: JSONObject) -> WorkerEvent {
    let event = WorkerEvent(
      workerID: worker, sequence: Int64(state.events.count) + 1, type: type, payload: payload,
      occurredAt: "2026-02-20T00:00:\(10 + state.events.count % 50).000000Z")
    state.events.append(event)
    return event
  }

  func transport() -> ScriptedTransport { ScriptedTransport { await self.answer($0) } }

  func client(
    clock: any Clock<Duration> = InstantClock(upTo: .seconds(12)),
    token: @escaping @Sendable () async -> String? = { "good" }
  ) -> WorkersClient {
    var configuration = WorkersConfiguration()
    configuration.clock = TransportClock(clock)
    configuration.makeGenerator = { SeededGenerator(seed: 7) }
    return WorkersClient(
      baseURL: URL(filePath: "/"), transport: transport(), configuration: configuration, logger: Logger(label: "test"),
      token: token)
  }

  private func answer(_ received: ScriptedTransport.Received) async -> ScriptedTransport.Answer {
    let request = received.request
    let path = request.path ?? ""
    return state.withLock { state in
      state.requestIDs.append(request.headerFields[RequestID.name] ?? "")
      guard request.headerFields[.authorization] == "Bearer \(state.token)" else {
        return Self.json(401, #"{"message":"Unauthenticated."}"#)
      }
      let route = path.split(separator: "?").first.map(String.init) ?? ""
      if let refusal = state.refusals.first(where: { route.hasSuffix($0.key) })?.value {
        return Self.json(refusal.0, refusal.1)
      }
      let root = "/api/runtime/codex/workers"
      let worker = root + "/desktopw%3Ahost%3Ashared"
      switch (request.method, route) {
      case (.get, root): return Self.json(200, #"{"data":[\#(Self.snapshot(state))]}"#)
      case (.get, worker): return Self.json(200, #"{"data":\#(Self.snapshot(state))}"#)
      case (.get, worker + "/stream"): return Self.stream(&state, path)
      case (.post, worker + "/events"): return Self.store(&state, received)
      case (.post, worker + "/stop"):
        state.status = "stopped"
        _ = Self.append(&state, "worker.stopped", [:])
        return Self.json(202, #"{"data":{"worker_id":"\#(Self.worker)","status":"stopped","idempotent_replay":false}}"#)
      case (.post, worker + "/requests"): return Self.perform(&state, received)
      default: return Self.json(404, #"{"error":{"code":"not_found","message":"worker not found"}}"#)
      }
    }
  }

  private static func snapshot(_ state: State) -> String {
    #"{"worker_id":"\#(worker)","status":"\#(state.status)","latest_seq":\#(state.events.count),"metadata":[],"#
      + #""heartbeat_state":"fresh","heartbeat_age_ms":5,"heartbeat_stale_after_ms":120000}"#
  }

  private static func store(_ state: inout State, _ received: ScriptedTransport.Received) -> ScriptedTransport.Answer {
    let event = (try? JSONValue(parsing: received.body))?.objectValue?["event"]?.objectValue ?? [:]
    let stored = append(
      &state, event["event_type"]?.stringValue ?? "", event["payload"]?.objectValue ?? [:])
    let data: JSONValue = [
      "worker_id": .string(worker), "seq": .number(Double(stored.sequence)), "event_type": .string(stored.type),
      "payload": .object(stored.payload), "occurred_at": .string(stored.occurredAt),
    ]
    return json(202, #"{"data":\#(data.jsonText)}"#)
  }

  private static func perform(
    _ state: inout State, _ received: ScriptedTransport.Received
  ) -> ScriptedTransport.Answer {
    guard state.status == "running" else {
      return json(
        409, #"{"error":{"code":"conflict","message":"worker is stopped; create or reattach to resume"}}"#)
    }
    let request = (try? JSONValue(parsing: received.body))?.objectValue?["request"]?.objectValue ?? [:]
    let id = request["request_id"] ?? .null
    let payload: JSONObject = ["request_id": id, "method": request["method"] ?? .null]
    _ = append(&state, "worker.request", payload)
    let ends = payload.merging(["ok": true, "response": ["data": []]]) { $1 }
    _ = append(&state, "worker.response", ends)
    _ = append(&state, "worker.response", ends)
    return json(
      200, #"{"data":{"worker_id":"\#(worker)","request_id":\#(id.jsonText),"ok":true,"response":[]}}"#)
  }

  private static func stream(_ state: inout State, _ path: String) -> ScriptedTransport.Answer {
    let query = path.split(separator: "?").dropFirst().first ?? ""
    let cursor = query.split(separator: "&").first { $0.hasPrefix("cursor=") }.flatMap { Int64($0.dropFirst(7)) } ?? -1
    state.cursors.append(cursor)
    let news = state.events.filter { $0.sequence > cursor }
    let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream; charset=UTF-8"])
    guard !state.faults.isEmpty else { return .response(head, news.map { .bytes(frame($0)) }) }
    switch state.faults.removeFirst() {
    case .end(let count): return .response(head, news.prefix(count).map { .bytes(frame($0)) } + [.end])
    case .tear(let count):
      let whole = news.prefix(count).map { ScriptedTransport.Step.bytes(frame($0)) }
      let half = news.dropFirst(count).prefix(1).map { ScriptedTransport.Step.bytes(Array(frame($0).prefix(70))) }
      return .response(head, whole + half + [.cut(TransportError(.connectionLost, "The network is gone."))])
    case .unreachable: return .failure(TransportError(.connectionRefused, "The network is unreachable."))
    case .status(let code, let body, let fields): return json(code, body, fields)
    case .errorEvent(let message):
      let data: JSONValue = ["error": ["code": "runtime_codex_stream_failed", "message": .string(message)]]
      return .response(head, [.bytes(Array("event: error\ndata: \(data.jsonText)\n\n".utf8)), .end])
    }
  }

  static func frame(_ event: WorkerEvent) -> [UInt8] {
    Array("id: \(event.sequence)\nevent: codex.worker.event\ndata: \(event.json.jsonText)\n\n".utf8)
  }

  static func json(_ status: Int, _ body: String, _ more: HTTPFields = [:]) -> ScriptedTransport.Answer {
    var fields = more
    fields[.contentType] = "application/json"
    return .response(
      HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields), [.bytes(Array(body.utf8)), .end])
  }
}
