import CodexRemoteContract
public import ResolveKitCore

/// A request to the Codex behind a worker.
public struct WorkerControlRequest: Hashable, Sendable {
  /// The methods that the contract lets through.
  public static let methods = LaneMethod.names

  /// The request's id, chosen by the client, and the same when it is sent again: the runtime takes it once.
  public var id: String
  /// One of ``methods``, such as `turn/start`.
  public var method: String
  /// The method's parameters, as codex takes them.
  public var params: JSONObject
  /// The name of the program that asks, for people who read the log; nil to say none.
  public var source: String?
  /// The session that the request belongs to; nil where there is none.
  public var sessionID: String?
  /// The codex thread that the request is about; nil where it is about none.
  public var threadID: String?

  /// A request; the runtime refuses a method that is not one of ``methods``.
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
  /// The worker that was asked; empty where the runtime does not say.
  public let workerID: String
  /// The request's ``WorkerControlRequest/id``.
  public let requestID: String
  /// Whether Codex did it; false where it refused.
  public let isOK: Bool
  /// Codex's result, or its error where ``isOK`` is false; null where there is neither.
  public let response: JSONValue

  init?(_ fields: WireObject) {
    guard let request = fields.word("request_id") else { return nil }
    workerID = fields.string("worker_id") ?? ""
    requestID = request
    isOK = fields.flag("ok") ?? false
    response = fields["response"] ?? .null
  }
}
