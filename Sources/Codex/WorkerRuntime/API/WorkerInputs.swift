import Hummingbird
import ResolveKitCore

/// Reads what the routes of workers take, by the limits of the contract.
///
/// What the public layer of the contract's server checks is refused with 422 in its shape, the rest with 400 in the
/// runtime's.
enum WorkerInputs {
  static func filter(_ query: Parameters) throws(APIFault) -> WorkerRegistry.Filter {
    var validation = Validation()
    var filter = WorkerRegistry.Filter()
    let status = validation.string(query["status"].map { .string(String($0)) }, "status", limit: 255)
    if let status {
      filter.status = RuntimeWorkerStatus(rawValue: status)
      if filter.status == nil { validation.report("status", "The selected status is invalid.") }
    }
    filter.workspaceRef = validation.string(
      query["workspace_ref"].map { .string(String($0)) }, "workspace_ref", limit: 255)
    filter.limit = validation.integer(query["limit"], "limit", in: 1...200).map(Int.init) ?? filter.limit
    try validation.check()
    return filter
  }

  static func registration(_ body: JSONRequestBody) throws(APIFault) -> RegistrationRequest {
    var validation = Validation()
    let id = validation.string(body.members["worker_id"], "worker_id", limit: 160)
    var registration = RegistrationRequest(
      workspaceRef: validation.string(body.members["workspace_ref"], "workspace_ref", limit: 255),
      codexHomeRef: validation.string(body.members["codex_home_ref"], "codex_home_ref", limit: 255),
      adapter: validation.string(body.members["adapter"], "adapter", limit: 120))
    _ = validation.object(body.members["metadata"], "metadata")
    try validation.check()
    if let id {
      guard let id = WorkerID(id) else {
        throw APIFault(
          WorkerError(.invalidRequest, "worker_id is 3 to 160 of letters, digits and . _ : - in ASCII"))
      }
      registration.id = id
    }
    if body.members["metadata"].map({ !$0.isNull }) ?? false { registration.metadata = body.text(of: ["metadata"]) }
    guard (registration.metadata?.count ?? 0) <= 64 << 10 else {
      throw APIFault(WorkerError(.invalidRequest, "metadata has \(64 << 10) bytes at most"))
    }
    return registration
  }

  static func event(_ body: JSONRequestBody) throws(APIFault) -> PostedEvent {
    var validation = Validation()
    let event = validation.object(body.members["event"], "event", isRequired: true)
    let type = validation.string(event["event_type"], "event.event_type", limit: 160, isRequired: true)
    if let type, !type.hasPrefix("worker.") {
      validation.report("event.event_type", "The event.event type field must start with one of the following: worker..")
    }
    _ = validation.object(event["payload"], "event.payload")
    try validation.check()
    guard let type, type.utf8.count <= 120, type.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw APIFault(
        WorkerError(.invalidRequest, "event_type has 1 to 120 bytes without spaces and control characters"))
    }
    return PostedEvent(type: type, payload: body.text(of: ["event", "payload"]))
  }

  static func request(_ body: JSONRequestBody) throws(APIFault) -> WorkerRequest {
    var validation = Validation()
    let request = validation.object(body.members["request"], "request", isRequired: true)
    let id = validation.string(request["request_id"], "request.request_id", limit: 160, isRequired: true)
    let method = validation.string(request["method"], "request.method", limit: 160, isRequired: true)
    if let method, !WorkerRequest.methods.contains(method) {
      validation.report("request.method", "The selected request.method is invalid.")
    }
    _ = validation.object(request["params"], "request.params")
    var context: [(name: String, value: String)] = []
    let limits = [
      ("request_version", 32), ("sent_at", 64), ("source", 120), ("session_id", 160), ("thread_id", 160),
    ]
    for (name, limit) in limits {
      guard let text = validation.string(request[name], "request.\(name)", limit: limit) else { continue }
      if name == "sent_at", !isDate(text) {
        validation.report("request.sent_at", "The request.sent at field must be a valid date.")
      }
      context.append((name, text))
    }
    try validation.check()
    guard let id, let method else { throw APIFault.invalid([]) }
    return WorkerRequest(
      id: id, method: method, params: body.text(of: ["request", "params"]), context: context)
  }

  static func reason(_ body: JSONRequestBody) throws(APIFault) -> String {
    var validation = Validation()
    let reason = validation.string(body.members["reason"], "reason", limit: 255)
    try validation.check()
    return reason ?? "stop_requested"
  }

  /// A day, or a time with one, as RFC 3339 has them.
  private static func isDate(_ text: String) -> Bool {
    text.wholeMatch(of: /\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?/) != nil
  }
}
