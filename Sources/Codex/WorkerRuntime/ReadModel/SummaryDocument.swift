import EventLedger
import ResolveKitCore

/// A worker's summary in the read model, as far as it was projected.
struct SummaryDocument: StreamFold, Equatable {
  /// The version of a document's shape.
  static let version = "codex_worker_summary_v1"

  /// The last event that is in it; nil where there is no document.
  private(set) var sequence: Int64?
  private(set) var projectedAt = WallTime(microseconds: 0)
  private(set) var body: JSONObject = [:]
  /// The place in the stream of the worker's documents.
  private(set) var place: Int64 = 0

  init() {}

  mutating func apply(_ event: LedgerEvent) {
    guard event.type == Self.version, let sequence = event.members["last_runtime_seq"]?.number else { return }
    self.sequence = sequence
    projectedAt = event.time
    body = event.members
    place = event.sequence
  }

  static func draft(_ snapshot: WorkerView) -> LedgerDraft {
    var members: JSONObject = [
      "worker_id": .string(snapshot.id.text), "last_runtime_seq": JSONValue(snapshot.state.latest),
      "adapter": .string(snapshot.record.adapter), "updated_at": .string(snapshot.updatedAt.zulu),
    ]
    members["status"] = snapshot.state.lifecycle.status.map { .string($0.rawValue) }
    members["workspace_ref"] = snapshot.record.workspaceRef.map { .string($0) }
    return LedgerDraft(type: version, payload: JSONText.of(members))
  }

  /// The summary's lag behind the runtime, in the contract's form; null where there is none.
  func projection(of snapshot: WorkerView) -> JSONValue {
    guard let sequence else { return .null }
    let lag = max(0, snapshot.state.latest - sequence)
    return [
      "document_id": .string("codex_worker_summary:\(snapshot.id.text)"), "last_runtime_seq": JSONValue(sequence),
      "lag_events": JSONValue(lag), "status": lag == 0 ? "in_sync" : "lagging",
      "projection_version": .string(Self.version), "last_projected_at": .string(projectedAt.zulu),
    ]
  }
}
