import EventLedger
import JSONService
import ResolveKitCore

/// Makes workers, finds them, lists them.
struct WorkerRegistry: Sendable {
  /// The result of a registration.
  struct Registration: Sendable {
    let id: WorkerID
    let status: RuntimeWorkerStatus
    let latest: Int64
    /// Whether the worker was running already.
    let isReplay: Bool
  }

  /// The workers that a list has.
  struct Filter: Sendable {
    var status: RuntimeWorkerStatus?
    var workspaceRef: String?
    var limit = 50
  }

  let storage: Storage
  let directory: WorkerDirectory
  let lane: any HostedLane
  let random: RandomBytes
  let now: @Sendable () -> WallTime

  /// Makes a worker, or brings back one that has ended. Throws ``WorkerError`` where it is another user's.
  func register(_ input: RegistrationRequest, for owner: String) async throws -> Registration {
    if input.adapter == WorkerRecord.local { try lane.checkOffered() }
    let id = input.id ?? WorkerID(random: random)
    let index = SharedStream<WorkerIndex>(StreamNames.index(of: owner), storage)
    try Self.checkRoom(for: id, in: try await index.current())
    let worker = directory[id]
    let record = try await worker.register(input, for: owner, at: now())
    _ = try await index.change { index in
      guard !index.contains(id) else { return [] }
      try Self.checkRoom(for: id, in: index)
      return [WorkerIndex.draft(id)]
    }
    let isHosted = record.adapter == WorkerRecord.local
    let change = try await worker.change { state in
      switch state.lifecycle.status {
      case .running, .starting, .stopping: []
      case nil: [Self.started(isHosted ? .starting : .running, reason: "created")]
      case .stopped, .failed: [Self.started(isHosted ? .starting : .running, reason: "reattached")]
      }
    }
    if isHosted { lane.host(id) }
    return Registration(
      id: id, status: change.value.lifecycle.status ?? .starting, latest: change.value.latest,
      isReplay: change.event == nil)
  }

  /// A worker as it is now. Throws ``WorkerError``.
  func snapshot(of id: WorkerID, for owner: String) async throws -> WorkerView {
    try await directory[id].snapshot(for: owner)
  }

  /// The owner's workers, the last changed first.
  func list(_ filter: Filter, for owner: String) async throws -> [WorkerView] {
    let ids = try await ids(of: owner)
    let workers = ids.map { directory[$0] }
    let extents = try await storage.ledger.extents(of: workers.flatMap(\.streams))
    var snapshots: [WorkerView] = []
    for worker in workers {
      do { snapshots.append(try await worker.snapshot(for: owner, extents: extents)) } catch is WorkerError {
        // A registration that is not complete yet.
      }
    }
    let chosen = snapshots.filter { snapshot in
      (filter.status == nil || snapshot.state.lifecycle.status == filter.status)
        && (filter.workspaceRef == nil || snapshot.record.workspaceRef == filter.workspaceRef)
    }
    return Array(chosen.sorted { $0.updatedAt > $1.updatedAt }.prefix(filter.limit))
  }

  /// The ids of the owner's workers.
  func ids(of owner: String) async throws -> [WorkerID] {
    try await SharedStream<WorkerIndex>(StreamNames.index(of: owner), storage).current().ids
  }

  private static func checkRoom(for id: WorkerID, in index: WorkerIndex) throws(WorkerError) {
    guard index.contains(id) || index.ids.count < WorkerIndex.limit else {
      throw WorkerError(.conflict, "\(WorkerIndex.limit) workers are the most for one user; use one of yours again")
    }
  }

  private static func started(_ status: RuntimeWorkerStatus, reason: String) -> LedgerDraft {
    LedgerDraft(
      type: EventType.started,
      payload: JSONText.of(["status": .string(status.rawValue), "reason": .string(reason)]))
  }
}
