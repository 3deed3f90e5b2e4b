import CodexRemoteContract
public import ResolveKitCore

/// A request to the Codex behind a worker.
public struct WorkerControlRequest: Hashable, Sendable {
  /// The methods that the contract lets through.
  public static let methods = LaneMethod.names

  /// Of the client's choice, and the same when it is sent again: the runtime takes it once.
  public var id: String
  public var method: String
  public var params: JSONObject
  public var source: String?
  public var sessionID: String?
  public var threadID: String?

  public init(
    id: String, method: String, params: JSONObject = [:], source: String? = nil, sessionID: String? = nil,
    threadID: String? = nil
  ) {
    self.id = id
    self.method = method
    self.params = params
    self.source = source
    self.sessionID = sessionID
    self.threadID = threadID
  }

  var json: JSONValue {
    var members: JSONObject = ["request_id": .string(id), "method": .string(method)]
    if !params.isEmpty { members["params"] = .object(params) }
    members["request_version"] = "v1"
    members["source"] = source.map { .string($0) }
    members["session_id"] = sessionID.map { .string($0) }
    members["thread_id"] = threadID.map { .string($0) }
    return ["request": .object(members)]
  }
}

/// The runtime's answer to a request. It comes with status 200 where Codex refused as well.
public struct WorkerAnswer: Hashable, Sendable {
  public let workerID: String
  public let requestID: String
  public let isOK: Bool
  public let response: JSONValue

  init?(_ fields: WireObject) {
    guard let request = fields.word("request_id") else { return nil }
    workerID = fields.string("worker_id") ?? ""
    requestID = request
    isOK = fields.flag("ok") ?? false
    response = fields["response"] ?? .null
  }
}
