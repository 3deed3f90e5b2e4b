public import ResolveKitCore

/// A worker to create, or to take up again under its id.
public struct WorkerRegistration: Hashable, Sendable {
  /// 3 to 160 letters, digits and `. _ : -`; nil lets the runtime choose.
  public var workerID: String?
  /// The workspace's name, as the runtime knows it; nil for its default.
  public var workspace: String?
  /// The name of codex's home folder, as the runtime knows it; nil for its default.
  public var codexHome: String?
  /// `desktop_bridge` for this machine's Codex; nil for the runtime's default.
  public var adapter: String?
  /// Data of the client's own, which the runtime keeps and returns.
  public var metadata: JSONObject

  /// A registration; what is nil is left to the runtime.
  public init(
    workerID: String? = nil, workspace: String? = nil, codexHome: String? = nil, adapter: String? = nil,
    metadata: JSONObject = [:]
  ) {
    self.workerID = workerID
    self.workspace = workspace
    self.codexHome = codexHome
    self.adapter = adapter
    self.metadata = metadata
  }

  var json: JSONValue {
    var members: JSONObject = [:]
    members["worker_id"] = workerID.map { .string($0) }
    members["workspace_ref"] = workspace.map { .string($0) }
    members["codex_home_ref"] = codexHome.map { .string($0) }
    members["adapter"] = adapter.map { .string($0) }
    if !metadata.isEmpty { members["metadata"] = .object(metadata) }
    return .object(members)
  }
}

/// The runtime's answer to a registration.
public struct WorkerCreation: Hashable, Sendable {
  /// The worker's id, the given one or the runtime's choice.
  public let workerID: String
  /// The worker's state after the call.
  public let status: WorkerStatus
  /// The number of the worker's last event; 0 where there is none.
  public let latestSequence: Int64
  /// Whether the worker ran already.
  public let isReplay: Bool

  package init(workerID: String, status: WorkerStatus, latestSequence: Int64, isReplay: Bool) {
    self.workerID = workerID
    self.status = status
    self.latestSequence = latestSequence
    self.isReplay = isReplay
  }

  init?(_ fields: WireObject) {
    guard let id = fields.word("worker_id") else { return nil }
    workerID = id
    status = WorkerStatus(fields.string("status") ?? "")
    latestSequence = fields.count("latest_seq") ?? 0
    isReplay = fields.flag("idempotent_replay") ?? false
  }
}

/// The runtime's answer to a stop.
public struct WorkerStop: Hashable, Sendable {
  /// The worker that was to stop.
  public let workerID: String
  /// The worker's state after the call, such as ``WorkerStatus/stopping``.
  public let status: WorkerStatus
  /// Whether the worker was stopped already.
  public let isReplay: Bool

  init?(_ fields: WireObject) {
    guard let id = fields.word("worker_id") else { return nil }
    workerID = id
    status = WorkerStatus(fields.string("status") ?? "")
    isReplay = fields.flag("idempotent_replay") ?? false
  }
}
