import EventLedger

/// One worker as this process sees it: its record and its events.
final class Worker: Sendable {
  let id: WorkerID
  private let records: SharedStream<NewestRecord>
  private let events: SharedStream<WorkerState>
  private let ledger: any EventLedger

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
  var streams: [String] { [records.name, events.name] }

  /// The stored record, for its owner. Throws ``WorkerError`` for everybody else, and where there is none.
  ///
  /// - Parameter extents: of its streams, where the caller has just asked for them.
  func snapshot(for owner: String?, extents: [String: LedgerExtent]? = nil) async throws -> WorkerSnapshot {
    let ends = extents.map { extents in streams.map { extents[$0]?.last ?? 0 } }
    guard let record = try await records.current(end: ends?[0]).record else { throw WorkerError.unknownWorker }
    guard owner == nil || record.owner == owner else { throw WorkerError.foreignWorker }
    let state = try await events.current(end: ends?[1])
    guard state.latest > 0 else { throw WorkerError.unknownWorker }
    return WorkerSnapshot(id: id, record: record, state: state)
  }

  /// Makes the record, or changes it where it is the owner's.
  func register(_ input: WorkerRegistration, for owner: String, at now: WallTime) async throws -> WorkerRecord {
    let change = try await records.change { newest in
      guard (newest.record?.owner ?? owner) == owner else { throw WorkerError.foreignWorker }
      var record = newest.record ?? WorkerRecord(owner: owner, createdAt: now)
      record.take(input)
      return record == newest.record ? [] : [record.draft]
    }
    guard let record = change.value.record else { throw WorkerError.unknownWorker }
    return record
  }

  /// Changes the record of a worker that there is.
  func changeRecord(_ body: @escaping @Sendable (inout WorkerRecord) -> Void) async throws {
    _ = try await records.change { newest in
      guard var record = newest.record else { return [] }
      body(&record)
      return record == newest.record ? [] : [record.draft]
    }
  }

  /// Appends what `decide` makes of the newest state; see ``SharedStream/change(key:_:)``.
  func change(
    key: String? = nil, _ decide: @escaping @Sendable (WorkerState) throws -> [LedgerDraft]
  ) async throws -> SharedStream<WorkerState>.Change {
    try await events.change(key: key, decide)
  }

  /// The state with every event that is stored now.
  func state() async throws -> WorkerState { try await events.current() }

  /// The event of a sequence number; nil where it is not kept any more.
  func event(_ sequence: Int64) async throws -> LedgerEvent? {
    do {
      return try await ledger.events(of: events.name, after: sequence - 1, limit: 1).first
    } catch let error as LedgerError {
      if case .trimmed = error.code { return nil }
      throw error
    }
  }

  /// Drops events of readers beyond the newest `kept`, once a state from which to read on is stored. Events are dropped in
  /// steps of an eighth, so that few records are written.
  func prune(kept: Int64) async throws {
    let extent = try await ledger.extent(of: events.name)
    guard extent.last - extent.floor > kept + kept / 8 else { return }
    try await keepState()
    try await ledger.trim(events.name, through: extent.last - kept)
  }

  /// Stores the state in the record, so that a process that starts reads no older events, and drops older records.
  func keepState() async throws {
    let state = try await events.current()
    let change = try await records.change { newest in
      guard var record = newest.record, record.checkpoint.latest < state.latest else { return [] }
      record.checkpoint = state
      return [record.draft]
    }
    if change.value.sequence > 1 { try await ledger.trim(records.name, through: change.value.sequence - 1) }
  }
}
