package import HTTPTypes
package import ResolveKitCore
package import StreamTransport
import Synchronization
package import TestSupport

/// The session contract in memory: one session, one log, and streams that are cut where a test says.
package final class ContractServer: ResponsiveTransport {
  /// The end of one event stream: after so many bytes, cleanly or torn.
  package struct Cut {
    package var afterBytes: Int
    package var isClean: Bool

    package init(afterBytes: Int, isClean: Bool) {
      self.afterBytes = afterBytes
      self.isClean = isClean
    }
  }

  /// One request as it came in.
  package struct Received {
    package var method: String
    package var path: String
    package var body: JSONValue
    package var capability: String? = nil
  }

  private struct Listener {
    var channel: BodyChannel
    var remaining: Int?
    var isClean: Bool
  }

  private struct State {
    var log: [(id: Int, bytes: [UInt8])] = []
    var listeners: [Listener] = []
    var cuts: [Cut] = []
    var received: [Received] = []
    var turns: [String: String] = [:]
    var sessions = 0
    var answers: [String: [(Int, String)]] = [:]
    var retryAfter: String?
    var sessionFields = ""
    var expectations: [Bool] = []
    var isOffline = false
    var observer: @Sendable (String) -> Void = { _ in }
    var holds: [String: (gate: Gate, onHold: @Sendable () -> Void)] = [:]
  }

  package let origin = Origin(scheme: .https, host: "agent.test", port: 443)
  private let state = Mutex(State())
  private let apiKey: String
  /// Called after a message was accepted: with the server, the turn's id, the request's id and the text.
  private let onMessage: @Sendable (ContractServer, _ turnID: String, _ requestID: String, _ text: String) -> Void
  /// Called for each tool result that was accepted.
  private let onToolResult: @Sendable (ContractServer, JSONObject) -> Void

  /// The arguments of ``setResponseExpected(_:)``, in order.
  package var expectations: [Bool] { state.withLock { $0.expectations } }

  package func setResponseExpected(_ isExpected: Bool) {
    state.withLock { $0.expectations.append(isExpected) }
  }

  package init(
    apiKey: String = "rk_test", cuts: [Cut] = [],
    onMessage: @escaping @Sendable (ContractServer, String, String, String) -> Void = { _, _, _, _ in },
    onToolResult: @escaping @Sendable (ContractServer, JSONObject) -> Void = { _, _ in }
  ) {
    self.apiKey = apiKey
    self.onMessage = onMessage
    self.onToolResult = onToolResult
    state.withLock { $0.cuts = cuts }
  }

  package var received: [Received] { state.withLock { $0.received } }
  package var log: [(id: Int, bytes: [UInt8])] { state.withLock { $0.log } }

  /// Lets the next calls of `method path` fail with a status and a body, one each.
  package func answer(_ call: String, with answers: [(Int, String)]) {
    state.withLock { $0.answers[call, default: []] += answers }
  }

  /// Lets the next call of `method path` wait, before it is answered; `snapshot` for what is asked of the connection.
  package func hold(_ call: String, until gate: Gate, onHold: @escaping @Sendable () -> Void = {}) {
    state.withLock { $0.holds[call] = (gate, onHold) }
  }

  private func waitIfHeld(_ call: String) async {
    guard let hold = state.withLock({ $0.holds.removeValue(forKey: call) }) else { return }
    hold.onHold()
    await hold.gate.wait()
  }

  /// `Retry-After` of every answer that is no success.
  package func setRetryAfter(_ value: String?) {
    state.withLock { $0.retryAfter = value }
  }

  /// Members of the next sessions, as JSON with a comma in front.
  package func setSessionFields(_ json: String) {
    state.withLock { $0.sessionFields = json }
  }

  /// The bodies of the calls of `method path` so far; the query is part of the path.
  package func bodies(of call: String) -> [JSONValue] {
    received.filter { "\($0.method) \($0.path)" == call }.map(\.body)
  }

  /// Reports each call as `method path` when it comes in.
  package func observe(_ observer: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.observer = observer }
  }

  /// Whether connections fail from now on; those that are open stay.
  package func setOffline(_ isOffline: Bool) {
    state.withLock { $0.isOffline = isOffline }
  }

  // MARK: Events

  /// Appends an event and sends it to every stream; without an id where there is to be none.
  package func append(turn: String, request: String, type: String, payload: JSONObject, hasID: Bool = true) {
    state.withLock { state in
      let id = state.log.count + 1
      let envelope: JSONObject = [
        "event_id": hasID ? .string("\(id)") : nil, "turn_id": .string(turn), "request_id": .string(request),
        "timestamp": "2026-11-21T02:10:29.660544+00:00", "type": .string(type), "payload": .object(payload),
      ]
      let block = Self.block(id: hasID ? id : nil, type: type, data: JSONValue.object(envelope).jsonText)
      Self.add(block, id: id, to: &state)
    }
  }

  /// Appends an event whose data are these words, JSON or not.
  package func appendRaw(type: String, data: String) {
    state.withLock { state in
      let id = state.log.count + 1
      Self.add(Self.block(id: id, type: type, data: data), id: id, to: &state)
    }
  }

  private static func block(id: Int?, type: String, data: String) -> [UInt8] {
    Array("\(id.map { "id: \($0)\n" } ?? "")event: \(type)\ndata: \(data)\n\n".utf8)
  }

  private static func add(_ bytes: [UInt8], id: Int, to state: inout State) {
    state.log.append((id, bytes))
    state.listeners = state.listeners.compactMap { send(bytes, to: $0) }
  }

  /// The listener as it is after `bytes`, nil when its cut has come.
  private static func send(_ bytes: [UInt8], to listener: Listener) -> Listener? {
    guard let remaining = listener.remaining else {
      listener.channel.yield(bytes)
      return listener
    }
    let part = Array(bytes.prefix(remaining))
    if !part.isEmpty { listener.channel.yield(part) }
    guard bytes.count >= remaining else {
      var listener = listener
      listener.remaining = remaining - bytes.count
      return listener
    }
    listener.channel.finish(
      throwing: listener.isClean ? nil : TransportError(.connectionLost, "The connection was cut."))
    return nil
  }

  // MARK: HTTPTransport

  private let info = ConnectionInfo(
    transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .milliseconds(1))

  package func connect() async throws -> ConnectionInfo {
    if state.withLock(\.isOffline) { throw TransportError(.unreachable, "There is no network.") }
    return info
  }
  package func snapshot() async -> ConnectionSnapshot? {
    await waitIfHeld("snapshot")
    return ConnectionSnapshot(connection: info)
  }
  package func close() async {
    let listeners = state.withLock { state in
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners {
      listener.channel.finish(throwing: TransportError(.cancelled, "The transport was closed."))
    }
  }

  package func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    try Task.checkCancellation()
    let target = request.path ?? "/"
    let path = String(target.prefix { $0 != "?" })
    var bytes: [UInt8] = []
    if case .bytes(let given) = body { bytes = given }
    let json = (try? JSONValue(parsing: bytes)) ?? .null
    let call = "\(request.method.rawValue) \(path)"
    state.withLock(\.observer)(call)
    await waitIfHeld(call)
    let scripted = state.withLock { state -> (Int, String)? in
      let capability = HTTPField.Name("x-resolvekit-chat-capability").flatMap { request.headerFields[$0] }
      state.received.append(
        Received(method: request.method.rawValue, path: target, body: json, capability: capability))
      guard let answers = state.answers[call], let first = answers.first else { return nil }
      state.answers[call] = Array(answers.dropFirst())
      return first
    }
    if let (status, text) = scripted { return response(status, text) }
    guard request.headerFields[.authorization] == "Bearer \(apiKey)" else {
      return response(401, #"{"detail":"Invalid client token"}"#)
    }
    switch call {
    case "GET /v1/sdk/compat":
      return response(200, #"{"minimum_sdk_version":"1.0.0","supported_sdk_major_versions":[1]}"#)
    case "PUT /v1/functions/bulk": return response(200, "[]")
    case "POST /v1/sessions": return response(201, newSession())
    case "GET /v1/sessions/s1/events": return events(cursor: Self.cursor(of: target))
    case "POST /v1/sessions/s1/messages": return message(json.objectValue ?? [:])
    case "POST /v1/sessions/s1/tool-results":
      onToolResult(self, json.objectValue ?? [:])
      return response(200, #"{"status":"ok","deduplicated":false}"#)
    case "GET /v1/sessions/s1/messages": return response(200, "[]")
    case "PATCH /v1/sessions/s1/context": return response(200, "{}")
    case "POST /v1/sessions/s1/feedback": return response(201, "{}")
    default: return response(404, #"{"detail":"Not Found"}"#)
    }
  }

  private static func cursor(of target: String) -> Int {
    guard let range = target.firstRange(of: "cursor=") else { return 0 }
    return Int(target[range.upperBound...].prefix { $0 != "&" }) ?? 0
  }

  /// A session as its creation is answered; the events are those of the server's one session.
  package static func session(_ id: String, isReused: Bool = false) -> String {
    """
    {"id":"\(id)","app_id":"a1","device_id":"d","status":"active","events_url":"/v1/sessions/s1/events",
    "chat_capability_token":"capability-\(id)","reused_active_session":\(isReused),"available_function_names":[],
    "created_at":"2026-11-21T02:10:29Z","last_activity_at":"2026-11-21T02:10:29Z"}
    """
  }

  private func newSession() -> String {
    let (count, fields) = state.withLock { state in
      state.sessions += 1
      return (state.sessions, state.sessionFields)
    }
    return """
      {"id":"s1","app_id":"a1","device_id":"d","status":"active","events_url":"/v1/sessions/s1/events",
      "chat_capability_token":"capability-\(count)","reused_active_session":\(count > 1),
      "available_function_names":[]\(fields),"created_at":"2026-11-21T02:10:29Z","last_activity_at":"2026-11-21T02:10:29Z"}
      """
  }

  private func message(_ body: JSONObject) -> TransportResponse {
    let requestID = body["request_id"]?.stringValue ?? ""
    let (turnID, isNew) = state.withLock { state -> (String, Bool) in
      if let turn = state.turns[requestID] { return (turn, false) }
      let turn = "t\(state.turns.count + 1)"
      state.turns[requestID] = turn
      return (turn, true)
    }
    if isNew { onMessage(self, turnID, requestID, body["text"]?.stringValue ?? "") }
    return response(202, #"{"turn_id":"\#(turnID)","request_id":"\#(requestID)","status":"accepted"}"#)
  }

  private func events(cursor: Int) -> TransportResponse {
    let channel = BodyChannel()
    state.withLock { state in
      let cut = state.cuts.isEmpty ? nil : state.cuts.removeFirst()
      var listener: Listener? = Listener(
        channel: channel, remaining: cut?.afterBytes, isClean: cut?.isClean ?? true)
      let replay = [Array(": connected\n\n".utf8)] + state.log.filter { $0.id > cursor }.map(\.bytes)
      for bytes in replay {
        guard let current = listener else { break }
        listener = Self.send(bytes, to: current)
      }
      if let listener { state.listeners.append(listener) }
    }
    var fields = HTTPFields()
    fields[.contentType] = "text/event-stream; charset=utf-8"
    return TransportResponse(
      head: HTTPResponse(status: .ok, headerFields: fields), body: ResponseBody(channel), connection: info,
      requestID: "r")
  }

  private func response(_ status: Int, _ text: String) -> TransportResponse {
    var fields = HTTPFields()
    fields[.contentType] = "application/json"
    if status >= 400 { fields[.retryAfter] = state.withLock { $0.retryAfter } }
    return TransportResponse(
      head: HTTPResponse(status: .init(code: status), headerFields: fields),
      body: ResponseBody(Array(text.utf8)), connection: info, requestID: "r")
  }
}
