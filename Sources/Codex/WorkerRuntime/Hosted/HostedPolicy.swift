import ResolveKitCore

/// The rules on requests to a codex that runs on the runtime's machine. Pure.
///
/// It is the operator's machine and not the client's: where commands run and what the sandbox lets through is not the
/// client's to say. Of params, those named here alone come through.
struct HostedPolicy: Sendable {
  /// The folder in which codex works for the worker.
  let workspace: String

  /// The params for codex. Throws ``HostedFailure``.
  func params(of request: WorkerRequest) throws(HostedFailure) -> JSONValue {
    let params = request.paramsValue.objectValue ?? [:]
    switch request.method {
    case "thread/start":
      return .object(
        confined(Self.taken(["model", "personality", "baseInstructions", "developerInstructions"], params)))
    case "thread/resume":
      var taken = confined(Self.taken(["model", "personality", "excludeTurns"], params))
      taken["threadId"] = try thread(request, params)
      return .object(taken)
    case "turn/start":
      var taken = Self.taken(["model", "effort", "summary", "outputSchema", "clientUserMessageId"], params)
      taken["threadId"] = try thread(request, params)
      taken["input"] = .array(try input(params["input"]))
      return .object(taken)
    case "turn/interrupt":
      var taken = Self.taken(["turnId"], params)
      taken["threadId"] = try thread(request, params)
      return .object(taken)
    case "thread/read":
      var taken = Self.taken(["includeTurns"], params)
      taken["threadId"] = try thread(request, params)
      return .object(taken)
    case "thread/list":
      // Without sourceKinds: codex 0.163 calls what an app-server's client began "vscode", and the home is the worker's alone.
      return .object(Self.taken(["cursor", "limit", "sortKey", "sortDirection", "archived", "searchTerm"], params))
    default:
      throw HostedFailure(.unsupportedMethod, "codex of this runtime is not asked for \(request.method)")
    }
  }

  private func confined(_ params: JSONObject) -> JSONObject {
    params.merging(
      ["cwd": .string(workspace), "sandbox": "workspace-write", "approvalPolicy": "never"], uniquingKeysWith: { $1 })
  }

  /// `thread_id` of the request wins over that of its params.
  private func thread(_ request: WorkerRequest, _ params: JSONObject) throws(HostedFailure) -> JSONValue {
    let named = request.context.first { $0.name == "thread_id" }?.value ?? params["threadId"]?.stringValue
    guard let named, !named.isEmpty else {
      throw HostedFailure(.invalidRequest, "\(request.method) needs a thread: thread_id, or threadId in the params")
    }
    return .string(named)
  }

  /// Texts and pictures by their address; what names a file of the machine is refused.
  private func input(_ input: JSONValue?) throws(HostedFailure) -> [JSONValue] {
    guard let items = input?.arrayValue, !items.isEmpty, items.count <= 64 else {
      throw HostedFailure(.invalidRequest, "turn/start needs input: 1 to 64 items")
    }
    var taken: [JSONValue] = []
    for item in items {
      let members = item.objectValue ?? [:]
      switch members["type"] {
      case "text": taken.append(.object(Self.taken(["type", "text"], members)))
      // Any other address would have codex, or the model's provider, fetch what the client names.
      case "image" where members["url"]?.stringValue?.hasPrefix("data:image/") == true:
        taken.append(.object(Self.taken(["type", "url"], members)))
      default:
        throw HostedFailure(.invalidRequest, "input items are texts, and images as data:image/ URLs")
      }
    }
    return taken
  }

  private static func taken(_ names: [String], _ params: JSONObject) -> JSONObject {
    params.filter { names.contains($0.key) }
  }
}

/// The reason for which a request was not performed.
struct HostedFailure: Error, Equatable {
  let code: Receipt.Code
  let message: String

  init(_ code: Receipt.Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
