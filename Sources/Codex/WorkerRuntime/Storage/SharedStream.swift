import EventLedger

/// One stream of the ledger that several processes write, each deciding on its newest value or not at all.
///
/// All processes ask for the stream's lease under one name, so that a lease is never refused and always ends the one
/// before. An append under a lease that still holds proves that the value on which it was decided is the newest: nobody
/// has written since the lease was given. Where another process took it meanwhile, the append is refused as fenced, and
/// the decision is made again.
actor SharedStream<Value: StreamFold> {
  /// The outcome of a change.
  struct Change: Sendable {
    /// The value after it.
    let value: Value
    /// The last of the events that were appended, or found appended before under the same key; nil where there was
    /// nothing to append.
    let event: LedgerEvent?
    /// Whether the events were appended before, under the same key.
    let isRepeat: Bool
  }

  /// The beginning: the value after the event of a sequence number that is not below the floor.
  typealias Origin = @Sendable (_ floor: Int64) async throws -> (value: Value, through: Int64)

  /// Changes and reads that wait for their turn in one stream.
  private static var waitingLimit: Int { 512 }
  private static var pageEvents: Int { 1_000 }
  /// The number of times that a decision is repeated because another process wrote.
  private static var attempts: Int { 24 }

  nonisolated let name: String
  private let ledger: any EventLedger
  private let appends: AppendQueue
  private let origin: Origin
  private var value = Value()
  private var through: Int64 = 0
  private var isLoaded = false
  private var lease: LedgerLease?
  private var last: Task<Void, Never>?
  private var waiting = 0

  init(_ name: String, _ storage: Storage, origin: @escaping Origin = { (Value(), $0) }) {
    self.name = name
    ledger = storage.ledger
    appends = storage.appends
    self.origin = origin
  }

  /// The value with every event that is stored now. Throws `LedgerError`.
  ///
  /// - Parameter end: the stream's last event where the caller has just asked; nothing is read then unless it has
  ///   changed.
  func current(end: Int64? = nil) async throws -> Value {
    if let end, isLoaded, waiting == 0, through >= end { return value }
    return try await inTurn { try await self.read() }
  }

  /// Appends what `decide` makes of the newest value; nothing where it returns nothing. What `decide` throws is thrown,
  /// once it is sure that it was shown the newest value.
  ///
  /// A caller that is cancelled does not break the change off.
  func change(
    key: String? = nil, _ decide: @escaping @Sendable (Value) throws -> [LedgerDraft]
  ) async throws -> Change {
    try await inTurn { try await self.perform(key, decide) }
  }

  private func read() async throws -> Value {
    try await catchUp()
    return value
  }

  private func perform(_ key: String?, _ decide: @Sendable (Value) throws -> [LedgerDraft]) async throws -> Change {
    for attempt in 0..<Self.attempts {
      let held = lease
      if held == nil { try await catchUp() }
      let drafts = try await decision(decide, isSurelyNewest: held == nil)
      guard let drafts else { continue }
      guard !drafts.isEmpty else { return Change(value: value, event: nil, isRepeat: false) }
      guard let held else {
        lease = try await ledger.lease(name, to: Storage.holder, for: .seconds(60))
        try await catchUp()
        continue
      }
      do {
        let receipt = try await appends.append(drafts, under: held, key: key)
        return try await change(by: receipt)
      } catch let error as LedgerError where error.code == .fenced {
        lease = nil
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...(1 << min(attempt, 6)))))
      } catch {
        // It may have been stored all the same.
        lease = nil
        throw error
      }
    }
    throw LedgerError(
      .unavailable(mayHaveHappened: false), "Others write to '\(name)' all the time; try again.")
  }

  /// The result of `decide`; nil where it has to be asked again, because it refused on an outdated value.
  private func decision(
    _ decide: @Sendable (Value) throws -> [LedgerDraft], isSurelyNewest: Bool
  ) async throws -> [LedgerDraft]? {
    do {
      let drafts = try decide(value)
      guard drafts.isEmpty, !isSurelyNewest else { return drafts }
    } catch {
      guard !isSurelyNewest else { throw error }
    }
    lease = nil
    return nil
  }

  private func change(by receipt: AppendReceipt) async throws -> Change {
    let number = receipt.sequences.upperBound
    let passed = through < number ? try await catchUp(to: number) : nil
    // A repeat's events are known already, so that nothing was read on.
    let known = passed == nil ? try await ledger.events(of: name, after: number - 1, limit: 1).first : nil
    guard let event = passed ?? known, event.sequence == number else {
      throw LedgerError(.database, "An event that was just stored in '\(name)' is not there; report this.")
    }
    return Change(value: value, event: event, isRepeat: receipt.isRepeat)
  }

  /// Reads on, to the end or until an event is reached; returns the last event read.
  @discardableResult
  private func catchUp(to end: Int64? = nil) async throws -> LedgerEvent? {
    var restarts = 0
    var newest: LedgerEvent?
    if !isLoaded { try await start(floor: 0) }
    while true {
      do {
        let page = try await ledger.events(of: name, after: through, limit: Self.pageEvents)
        for event in page where end.map({ event.sequence <= $0 }) ?? true {
          value.apply(event)
          through = event.sequence
          newest = event
        }
        let bytes = page.reduce(0) { $0 + $1.payload.count }
        let isLast = page.count < Self.pageEvents && bytes < LedgerLimits.pageBytes
        if isLast || end.map({ through >= $0 }) ?? false { return newest }
      } catch let error as LedgerError {
        switch error.code {
        case .unknownStream: return newest
        case .trimmed(let floor) where restarts < 3: try await start(floor: floor)
        case .cursorAhead where restarts < 3: try await start(floor: 0)
        case .fenced, .leased, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid, .exhausted, .unavailable,
          .database:
          throw error
        }
        restarts += 1
      }
    }
  }

  private func start(floor: Int64) async throws {
    (value, through) = try await origin(floor)
    isLoaded = true
  }

  /// Runs `body` once all that were called before are done, in a task of its own.
  private func inTurn<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    guard waiting < Self.waitingLimit else {
      throw LedgerError(.exhausted, "\(waiting) accesses to '\(name)' wait, which is the most; try again later.")
    }
    waiting += 1
    defer { waiting -= 1 }
    let before = last
    let task = Task {
      await before?.value
      return try await body()
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
