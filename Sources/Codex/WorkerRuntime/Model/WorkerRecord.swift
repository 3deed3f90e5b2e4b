import EventLedger
import ResolveKitCore

/// A worker's record beside its events: its owner, its registration, and a state from which its
/// events are read on once older ones are gone.
struct WorkerRecord: Equatable, Sendable {
  /// The adapter that answers requests by itself: for tests of clients.
  static let inMemory = "in_memory"
  /// The adapter that runs codex beside the runtime.
  static let local = "local"

  let owner: String
  let createdAt: WallTime
  var workspaceRef: String?
  var codexHomeRef: String?
  var adapter: String
  /// JSON text, as it came.
  var metadata: [UInt8]
  /// The backend that the runtime runs for the worker, as JSON; nil where a device does it.
  var backend: JSONValue?
  var checkpoint = WorkerState()

  /// Takes what a registration gives; what it leaves out stays.
  mutating func take(_ input: RegistrationRequest) {
    workspaceRef = input.workspaceRef ?? workspaceRef
    codexHomeRef = input.codexHomeRef ?? codexHomeRef
    adapter = input.adapter ?? adapter
    metadata = input.metadata ?? metadata
  }

  init(owner: String, createdAt: WallTime) {
    self.owner = owner
    self.createdAt = createdAt
    adapter = Self.inMemory
    metadata = Array("{}".utf8)
  }

  var draft: LedgerDraft {
    var members: JSONObject = [
      "owner": .string(owner), "created": JSONValue(createdAt.microseconds), "adapter": .string(adapter),
      "metadata": .string(String(decoding: metadata, as: UTF8.self)), "checkpoint": checkpoint.json,
    ]
    members["workspace_ref"] = workspaceRef.map { .string($0) }
    members["codex_home_ref"] = codexHomeRef.map { .string($0) }
    members["backend"] = backend
    return LedgerDraft(type: "record", payload: JSONValue.object(members).serialized())
  }

  /// nil for an event that is no record.
  init?(_ event: LedgerEvent) {
    let members = event.members
    guard let owner = members["owner"]?.stringValue, let created = members["created"]?.number,
      let adapter = members["adapter"]?.stringValue, let metadata = members["metadata"]?.stringValue
    else { return nil }
    self.owner = owner
    createdAt = WallTime(microseconds: created)
    self.adapter = adapter
    self.metadata = Array(metadata.utf8)
    workspaceRef = members["workspace_ref"]?.stringValue
    codexHomeRef = members["codex_home_ref"]?.stringValue
    backend = members["backend"]
    checkpoint = WorkerState(members["checkpoint"])
  }
}

/// The newest record of a worker; nil where there is no such worker. Each event has all of it.
struct NewestRecord: StreamFold {
  private(set) var record: WorkerRecord?
  /// The event that has it.
  private(set) var sequence: Int64 = 0

  init() {}

  mutating func apply(_ event: LedgerEvent) {
    guard let record = WorkerRecord(event) else { return }
    self.record = record
    sequence = event.sequence
  }
}
