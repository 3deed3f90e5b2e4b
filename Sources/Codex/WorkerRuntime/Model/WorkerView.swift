import EventLedger
import ResolveKitCore

/// A worker as its clients see it at a moment.
struct WorkerView: Sendable {
  let id: WorkerID
  let record: WorkerRecord
  let state: WorkerState

  /// The list's sort key.
  var updatedAt: WallTime { state.updatedAt ?? record.createdAt }

  /// The contract's body, as JSON text: metadata stays as it came.
  func text(now: WallTime) -> [UInt8] { object(now: now).bytes }

  /// The contract's summary: the snapshot, and how far the read model is.
  func summary(now: WallTime, projection: JSONValue) -> [UInt8] {
    var object = object(now: now)
    object.add("khala_projection", projection)
    return object.bytes
  }

  private func object(now: WallTime) -> JSONText {
    var object = JSONText()
    let heartbeat = HeartbeatState(status: state.lifecycle.status, heartbeatAt: state.heartbeatAt, now: now)
    object.add("worker_id", .string(id.text))
    object.add("status", .string((state.lifecycle.status ?? .starting).rawValue))
    object.add("latest_seq", JSONValue(state.latest))
    object.add("workspace_ref", Self.text(record.workspaceRef))
    object.add("codex_home_ref", Self.text(record.codexHomeRef))
    object.add("adapter", .string(record.adapter))
    object.add("metadata", text: record.metadata)
    object.add("started_at", Self.time(state.lifecycle.startedAt))
    object.add("stopped_at", Self.time(state.lifecycle.stoppedAt))
    object.add("updated_at", Self.time(updatedAt))
    object.add("last_heartbeat_at", Self.time(state.heartbeatAt))
    let age = state.heartbeatAt.map { JSONValue(HeartbeatState.age(of: $0, now: now)) }
    object.add("heartbeat_age_ms", age ?? .null)
    object.add("heartbeat_stale_after_ms", JSONValue(HeartbeatState.staleAfter.components.seconds * 1_000))
    object.add("heartbeat_state", .string(heartbeat.rawValue))
    if let backend = record.backend { object.add("backend", backend) }
    return object
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  private static func time(_ time: WallTime?) -> JSONValue { time.map { .string($0.zulu) } ?? .null }
}
