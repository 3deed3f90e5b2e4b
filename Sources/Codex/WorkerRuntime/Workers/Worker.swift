import EventLedger
import Synchronization

/// One worker as this process sees it: its record and its events.
final class Worker: Sendable {
  let id: WorkerID
  private let records: SharedStream<NewestRecord>
  private let events: SharedStream<WorkerState>
  private let ledger: any EventLedger
  /// The last event of the state that is known to be in the record.
  private let kept = Mutex<Int64>(0)

  /// Events that a process which starts reads of a worker at most.
  private static let checkpointDistance: Int64 = 4_096

  init(_ id: WorkerID, _ storage: Storage) {
    self.id = id
    ledger = storage.ledger
    let records = SharedStream<NewestRecord>(StreamNames.record(of: id), storage)
    self.records = records
    events = SharedStream<WorkerState>(StreamNames.events(of: id), storage) { _ in
      let state = try await records.current().record?.checkpoint ?? WorkerState()
      return (state, state.latest)
    }
  }

  /// The names of its streams, record first.
  var streams: [String] { [records.name, eventStream] }

  /// The name of its events' stream.
  var eventStream: String { events.name }

  /// The stored record, for its owner. Throws ``WorkerError`` for everybody else, and where there is none.
  ///
  /// - Parameter extents: of its streams, where the caller has just asked for them.
  func snapshot(for owner: String?, extents: [String: LedgerExtent]? = nil) async throws -> WorkerView {
    let ends = extents.map { extents in streams.map { extents[$0]?.last ?? 0 } }
    guard let record = try await records.current(end: ends?[0]).record else { throw WorkerError.unknownWorker }
    guard owner == nil || record.owner == owner else { throw WorkerError.foreignWorker }
    let state = try await events.current(end: ends?[1])
    guard state.latest > 0 else { throw WorkerError.unknownWorker }
    return WorkerView(id: id, record: record, state: state)
  }

  /// Makes the record, or changes it where it is the owner's.
  func register(_ input: RegistrationRequest, for owner: String, at now: WallTime) async throws -> WorkerRecord {
    let change = try await records.change { newest in
      guard (newest.record?.owner ?? owner) == owner else { throw WorkerError.foreignWorker }
      var record = newest.record ?? WorkerRecord(owner: owner, createdAt: now)
      record.take(input)
      return record == newest.record ? [] : [record.draft]
    }
    guard let record = change.value.record else { throw WorkerError.unknownWorker }
    if change.event != nil { try await trimRecords(change.value) }
    return record
  }

  /// Changes the record of a worker that there is.
  func changeRecord(_ body: @escaping @Sendable (inout WorkerRecord) -> Void) async throws {
    let change = try await records.change { newest in
      guard var record = newest.record else { return [] }
      body(&record)
      return record == newest.record ? [] : [record.draft]
    }
    if change.event != nil { try await trimRecords(change.value) }
  }

  /// Appends what `decide` makes of the newest state; see ``SharedStream/change(key:_:)``.
  func change(
    key: String? = nil, _ decide: @escaping @Sendable (WorkerState) throws -> [LedgerDraft]
  ) async throws -> SharedStream<WorkerState>.Change {
    try await events.change(key: key, decide)
  }

  /// The state with every event that is stored now.
  ///
  /// - Parameter end: the last event, where the caller has just asked.
  func state(end: Int64? = nil) async throws -> WorkerState { try await events.current(end: end) }

  /// The event of a sequence number; nil where it is not kept any more.
  func event(_ sequence: Int64) async throws -> LedgerEvent? {
    do {
      return try await ledger.events(of: events.name, after: sequence - 1, limit: 1).first
    } catch let error as LedgerError {
      if case .trimmed = error.code { return nil }
      throw error
    }
  }

  /// Drops the oldest events, once a state from which to read on is stored: those beyond the newest `kept`, in steps of an
  /// eighth, so that few records are written; and those that are too large in sum.
  ///
  /// - Parameter extent: of the events, just asked for.
  func prune(kept: Int64, _ extent: LedgerExtent) async throws {
    let state = try await events.current(end: extent.last)
    let surplus = extent.last - extent.floor > kept + kept / 8 ? extent.last - kept : 0
    let end = min(max(surplus, state.sizes.surplus), state.latest)
    guard end > extent.floor else { return try await keep(state, distance: Self.checkpointDistance) }
    try await keep(state, distance: 1)
    try await ledger.trim(events.name, through: end)
  }

  /// Stores a state in the record where the one that is there is older by so many events: a process that starts reads on from
  /// it.
  private func keep(_ state: WorkerState, distance: Int64) async throws {
    guard state.latest - kept.withLock({ $0 }) >= distance else { return }
    let change = try await records.change { newest in
      guard var record = newest.record, state.latest - record.checkpoint.latest >= distance else { return [] }
      record.checkpoint = state
      return [record.draft]
    }
    kept.withLock { [latest = change.value.record?.checkpoint.latest ?? 0] in $0 = max($0, latest) }
    if change.event != nil { try await trimRecords(change.value) }
  }

  /// Drops all records but the newest, which has all of it.
  private func trimRecords(_ newest: NewestRecord) async throws {
    if newest.sequence > 1 { try await ledger.trim(records.name, through: newest.sequence - 1) }
  }
}
