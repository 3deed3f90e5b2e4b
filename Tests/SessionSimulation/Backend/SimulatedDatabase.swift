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

  static let session = "session-1"
  static var stream: String { SessionLog.stream(of: session) }

  private(set) var state = State()
  private var page = StreamPage()
  private let agenda: Agenda
  private let observe: (Observation) -> Void
  private let isShared: Bool
  private var generator: SeededGenerator
  private var faults: [StorageFault: Moment] = [:]
  /// Told of what has changed.
  var onChange: (LedgerChange) -> Void = { _ in }

  /// - Parameter isShared: whether more than one process has it.
  init(on agenda: Agenda, isShared: Bool, seed: UInt64, observe: @escaping (Observation) -> Void) {
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
    if !isShared, fault == .deaf || fault == .losesAnswers { return }
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

  func note(_ observation: Observation) { observe(observation) }

  // MARK: The ledger

  func lease(to holder: String, for duration: Duration) throws(LedgerError) -> LedgerLease {
    let lease = try state.ledger.lease(Self.stream, to: holder, for: duration, at: now)
    observe(
      .leaseGiven(
        holder: holder, fence: lease.fence, until: lease.expiry.microseconds, at: now.microseconds))
    return lease
  }

  func renew(_ lease: LedgerLease, for duration: Duration) throws(LedgerError) {
    let renewed = try state.ledger.renew(lease, for: duration, at: now)
    observe(.leaseRenewed(fence: renewed.fence, until: renewed.expiry.microseconds))
  }

  func release(_ lease: LedgerLease) {
    state.ledger.release(lease)
    observe(.leaseReleased(fence: lease.fence))
  }

  var abandonedStreams: [String] { state.ledger.abandonedStreams(prefix: "", limit: 100, at: now) }

  func append(_ drafts: [LedgerDraft], under lease: LedgerLease, key: String) throws(LedgerError) {
    guard !drafts.isEmpty else { return }
    let receipt = try state.ledger.append(LedgerAppend(drafts, under: lease, key: key), at: now)
    guard !receipt.isRepeat else { return }
    let before = receipt.sequences.lowerBound - 1
    for event in try state.ledger.events(of: Self.stream, after: before, limit: drafts.count) {
      let record = page.add(event)
      observe(
        .appended(
          sequence: event.sequence, fence: event.fence, turn: record?.turnID ?? "", type: event.type,
          body: record?.body ?? ""))
    }
    tell(.appended(stream: Self.stream, last: receipt.sequences.upperBound))
  }

  var extent: LedgerExtent {
    state.ledger.extents(of: [Self.stream])[Self.stream] ?? LedgerExtent(floor: 0, last: 0)
  }

  /// The frames of the events behind a cursor. Throws where some of them were dropped.
  func frames(after cursor: Int64) throws(LedgerError) -> [(id: Int64, bytes: [UInt8])] {
    guard cursor < extent.last else { return [] }
    return try state.ledger.events(of: Self.stream, after: cursor, limit: 256).compactMap { event in
      page.frame(event.sequence).map { (event.sequence, $0) }
    }
  }

  /// A turn's events, read at once.
  func events(of turn: String) -> [(event: LedgerEvent, record: LedgerRecord)] {
    let floor = extent.floor
    let events = (try? state.ledger.events(of: Self.stream, after: floor, limit: .max)) ?? []
    return events.compactMap { event in
      page.record(event.sequence).flatMap { $0.turnID == turn ? (event, $0) : nil }
    }
  }

  /// Drops the oldest turns: of all events about a share is kept.
  func trim(keeping share: Double) {
    let extent = extent
    let share = share.isFinite ? share : 0
    let limit = extent.last - Int64(Double(extent.last - extent.floor) * min(max(share, 0), 1))
    let running = state.rows.running(in: Self.session)?.base ?? .max
    let events = (try? state.ledger.events(of: Self.stream, after: extent.floor, limit: .max)) ?? []
    let end = events.last {
      EventPayload.terminalTypes.contains($0.type) && $0.sequence <= min(limit, running)
    }
    guard let end, let floor = try? state.ledger.trim(Self.stream, through: end.sequence) else { return }
    _ = state.ledger.sweep(limit: .max)
    observe(.trimmed(floor: floor))
  }
}
