import EventLedger
import ResolveKitCore

/// The workers of one user, in the order in which they were made.
struct WorkerIndex: StreamFold {
  /// The most that one user may have.
  static let limit = 1_000

  private(set) var ids: [WorkerID] = []
  private var known: Set<WorkerID> = []

  init() {}

  mutating func apply(_ event: LedgerEvent) {
    guard event.type == "worker", let id = event.members["worker_id"]?.stringValue.flatMap({ WorkerID($0) }),
      known.insert(id).inserted
    else { return }
    ids.append(id)
  }

  func contains(_ id: WorkerID) -> Bool { known.contains(id) }

  static func draft(_ id: WorkerID) -> LedgerDraft {
    LedgerDraft(type: "worker", payload: JSONValue.object(["worker_id": .string(id.text)]).serialized())
  }
}
