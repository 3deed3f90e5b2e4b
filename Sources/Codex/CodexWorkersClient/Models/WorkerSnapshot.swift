public import ResolveKitCore

/// A worker as the runtime describes it, in a list or alone.
public struct WorkerSnapshot: Hashable, Sendable, Identifiable {
  /// The worker's id.
  public let id: String
  /// The state of the worker's life.
  public let status: WorkerStatus
  /// The number of its last event; 0 where there is none.
  public let latestSequence: Int64
  /// The workspace's name, as the runtime knows it; nil where it has none.
  public let workspace: String?
  /// The name of codex's home folder, as the runtime knows it; nil where it has none.
  public let codexHome: String?
  /// The kind of host that runs Codex: `desktop_bridge` for a person's machine, another value for a hosted one.
  public let adapter: String?
  /// The Codex that the runtime hosts; nil where a device of its own runs it.
  public let backend: WorkerBackend?
  /// The data that the worker was registered with; empty where there is none.
  public let metadata: JSONObject
  /// The server's time of the start, as it wrote it; nil before it.
  public let startedAt: String?
  /// The server's time of the stop, as it wrote it; nil while the worker runs.
  public let stoppedAt: String?
  /// The server's time of the last change, as it wrote it; nil where it does not say.
  public let updatedAt: String?
  /// The last sign of life, by the runtime's reckoning.
  public let heartbeat: WorkerHeartbeat
  /// The read model's progress; in lists alone.
  public let projection: WorkerProjection?
  /// All members as they came, those too that this version does not know.
  public let members: JSONObject

  /// Nil where the value names no worker.
  public init?(_ value: JSONValue) {
    guard let fields = WireObject(value), let id = fields.word("worker_id"), id.utf8.count <= Self.maximumIDBytes else {
      return nil
    }
    self.id = id
    members = fields.members
    status = WorkerStatus(fields.string("status") ?? "")
    latestSequence = fields.count("latest_seq") ?? 0
    workspace = fields.word("workspace_ref")
    codexHome = fields.word("codex_home_ref")
    adapter = fields.word("adapter")
    backend = WireObject(fields["backend"]).flatMap { WorkerBackend($0) }
    metadata = fields.object("metadata")
    startedAt = fields.string("started_at")
    stoppedAt = fields.string("stopped_at")
    updatedAt = fields.string("updated_at")
    heartbeat = WorkerHeartbeat(fields)
    projection = WorkerProjection(WireObject(fields["khala_projection"]) ?? WireObject(fields["convex_projection"]))
  }

  /// Whether a list's read model is behind the worker's own log, so that the worker has to be asked for its state.
  public var isBehind: Bool { (projection?.lagEvents ?? 0) > 0 }

  /// This row of a list with the state that the worker itself was in later; the read model's progress stays the list's. The
  /// row itself where the state is of another worker, or older.
  public func reconciled(with state: WorkerSnapshot) -> WorkerSnapshot {
    guard state.id == id, state.latestSequence >= latestSequence else { return self }
    var members = state.members
    for name in ["khala_projection", "convex_projection"] { members[name] = self.members[name] }
    return WorkerSnapshot(.object(members)) ?? self
  }

  /// The contract's limit is 160 characters.
  static let maximumIDBytes = 640
}
