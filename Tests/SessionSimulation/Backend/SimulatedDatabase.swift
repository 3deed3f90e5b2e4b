import EventLedger
import LedgerModel
import LinkModel
import ReferenceBackend
import ResolveKitCore

/// The database of all backends: the ledger's model, the tables beside it, and the ways in which it fails.
final class SimulatedDatabase {
  /// The state that a transaction changes. One that throws has changed nothing before.
  struct State {
    var ledger = LedgerModel()
    var rows = SessionRows()
    /// Turns whose rows were changed by this transaction.
    var signalled: [String] = []
  }

  private(set) var state = State()
  /// By session.
  private var pages: [String: StreamPage] = [:]
  private let agenda: Agenda
  private let observe: SessionObserver
  private let isShared: Bool
  private var generator: SeededGenerator
  private var faults: [StorageFault: Moment] = [:]
  /// Told of what has changed.
  var onChange: (LedgerChange) -> Void = { _ in }

  /// - Parameter isShared: whether more than one process has it.
  init(on agenda: Agenda, isShared: Bool, seed: UInt64, observe: @escaping SessionObserver) {
    self.agenda = agenda
    self.isShared = isShared
    self.observe = observe
    generator = SeededGenerator(seed: seed ^ 0xdb)
  }

  /// The database's own clock.
  var now: WallTime { WallTime(microseconds: Self.epoch + Int64(clamping: agenda.now / 1_000)) }

  /// A day in 2026, so that no clock that is set back comes to before 1970.
  static let epoch: Int64 = 1_790_000_000_000_000

  // MARK: Faults

  /// A process that has the database to itself hears of everything, and there is no connection to break.
  func disturb(_ fault: StorageFault, for milliseconds: Int) {
    if !isShared, fault != .unreachable, fault != .slow { return }
    faults[fault] = agenda.now.adding(milliseconds: milliseconds)
  }

  func heal() { faults = [:] }

  private func has(_ fault: StorageFault) -> Bool { faults[fault].map { agenda.now < $0 } ?? false }

  // MARK: Transactions

  /// Sends a transaction. It takes place even if its process is gone by then; the answer goes to that process alone.
  func submit<Value>(
    from life: Life, _ body: @escaping (SimulatedDatabase) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    if has(.unreachable) {
      return life.after(milliseconds: 2) { then(.failure(Self.unavailable(mayHaveHappened: false))) }
    }
    if has(.late) { return submitLate(from: life, body, then: then) }
    let isSlow = has(.slow)
    let way = Int.random(in: isSlow ? 200...2_500 : 1...4, using: &generator)
    let back = Int.random(in: isSlow ? 200...2_500 : 1...4, using: &generator)
    agenda.after(milliseconds: way) {
      let result = Result { try body(self) }
      self.tellSignals()
      let isLost = self.has(.losesAnswers)
      life.after(milliseconds: back) {
        then(isLost ? .failure(Self.unavailable(mayHaveHappened: true)) : result)
      }
    }
  }

  /// The connection is lost while the database has the transaction, and gets to it later: behind what is sent anew.
  private func submitLate<Value>(
    from life: Life, _ body: @escaping (SimulatedDatabase) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    let way = Int.random(in: 1...4, using: &generator)
    life.after(milliseconds: way) { then(.failure(Self.unavailable(mayHaveHappened: true))) }
    agenda.after(milliseconds: Int.random(in: way...14_000, using: &generator)) {
      _ = try? body(self)
      self.tellSignals()
    }
  }

  private static func unavailable(mayHaveHappened: Bool) -> LedgerError {
    LedgerError(.unavailable(mayHaveHappened: mayHaveHappened), "The database is away; try again later.")
  }

  private func tellSignals() {
    for topic in state.signalled { tell(.signalled(topic: topic)) }
    state.signalled = []
  }

  private func tell(_ change: LedgerChange) {
    guard !has(.deaf) else { return }
    agenda.after(milliseconds: 1) { self.onChange(change) }
  }

  /// Changes rows.
  func rows<Value, Failure: Error>(
    _ body: (inout SessionRows) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(&state.rows)
  }

  func signal(_ turn: String) { state.signalled.append(turn) }

  func note(_ observation: Observation, of session: String) { observe(observation, session) }

  // MARK: The ledger

  func lease(
    of session: String, to holder: String, for duration: Duration
  ) throws(LedgerError) -> LedgerLease {
    let lease = try state.ledger.lease(SessionLog.stream(of: session), to: holder, for: duration, at: now)
    observe(
      .leaseGiven(
        holder: holder, fence: lease.fence, until: lease.expiry.microseconds, at: now.microseconds), session)
    return lease
  }

  func renew(_ lease: LedgerLease, for duration: Duration) throws(LedgerError) {
    let renewed = try state.ledger.renew(lease, for: duration, at: now)
    observe(.leaseRenewed(fence: renewed.fence, until: renewed.expiry.microseconds), session(of: lease))
  }

  func release(_ lease: LedgerLease) {
    state.ledger.release(lease)
    observe(.leaseReleased(fence: lease.fence), session(of: lease))
  }

  private func session(of lease: LedgerLease) -> String? { SessionLog.sessionID(of: lease.stream) }

  /// The sessions that have leases which are over.
  var abandonedSessions: [String] {
    state.ledger.abandonedStreams(prefix: "", limit: 100, at: now).compactMap { SessionLog.sessionID(of: $0) }
  }

  func append(_ drafts: [LedgerDraft], under lease: LedgerLease, key: String) throws(LedgerError) {
    guard !drafts.isEmpty, let session = session(of: lease) else { return }
    let receipt = try state.ledger.append(LedgerAppend(drafts, under: lease, key: key), at: now)
    guard !receipt.isRepeat else { return }
    let before = receipt.sequences.lowerBound - 1
    for event in try state.ledger.events(of: lease.stream, after: before, limit: drafts.count) {
      let record = pages[session, default: StreamPage(session)].add(event)
      observe(
        .appended(
          sequence: event.sequence, fence: event.fence, turn: record?.turnID ?? "", type: event.type,
          body: record?.body ?? ""), session)
    }
    tell(.appended(stream: lease.stream, last: receipt.sequences.upperBound))
  }

  func extent(of session: String) -> LedgerExtent {
    let stream = SessionLog.stream(of: session)
    return state.ledger.extents(of: [stream])[stream] ?? LedgerExtent(floor: 0, last: 0)
  }

  private func events(of session: String, after cursor: Int64, limit: Int = .max) throws(LedgerError) -> [LedgerEvent] {
    try state.ledger.events(of: SessionLog.stream(of: session), after: cursor, limit: limit)
  }

  /// The frames of a session's events behind a cursor. Throws where some of them were dropped.
  func frames(of session: String, after cursor: Int64) throws(LedgerError) -> [(id: Int64, bytes: [UInt8])] {
    guard cursor < extent(of: session).last, let page = pages[session] else { return [] }
    return try events(of: session, after: cursor, limit: 256).compactMap { event in
      page.frame(event.sequence).map { (event.sequence, $0) }
    }
  }

  /// A turn's events, read at once.
  func events(ofTurn turn: String, in session: String) -> [(event: LedgerEvent, record: LedgerRecord)] {
    guard let page = pages[session] else { return [] }
    let events = (try? events(of: session, after: extent(of: session).floor)) ?? []
    return events.compactMap { event in
      page.record(event.sequence).flatMap { $0.turnID == turn ? (event, $0) : nil }
    }
  }

  /// Drops a session's oldest turns: of all events about a share is kept.
  func trim(_ session: String, keeping share: Double) {
    let extent = extent(of: session)
    let share = share.isFinite ? share : 0
    let limit = extent.last - Int64(Double(extent.last - extent.floor) * min(max(share, 0), 1))
    let running = state.rows.running(in: session)?.base ?? .max
    let events = (try? events(of: session, after: extent.floor)) ?? []
    let end = events.last {
      EventPayload.terminalTypes.contains($0.type) && $0.sequence <= min(limit, running)
    }
    guard let end, let floor = try? state.ledger.trim(SessionLog.stream(of: session), through: end.sequence) else {
      return
    }
    _ = state.ledger.sweep(limit: .max)
    observe(.trimmed(floor: floor), session)
  }
}
