import EventLedger
import ReferenceBackend

/// A turn's way to the database under its right: what is done there, and done again while the database is away.
final class TurnStorage {
  typealias Answer = (TurnCourse.Event?) -> Void
  private typealias Outcome = Result<TurnCourse.Event?, any Error>
  private typealias Work = (@escaping (Outcome) -> Void) -> Void

  private let turn: String
  private let request: String
  private let session: String
  private let right: TurnRight
  private let process: BackendProcess
  private var appends = 0

  /// The number of tries of the queue of appends.
  private static let appendTries = 40

  init(
    _ turn: String, _ request: String, of session: String, _ right: TurnRight, in process: BackendProcess
  ) {
    self.turn = turn
    self.session = session
    self.request = request
    self.right = right
    self.process = process
  }

  private var fence: Int64 { right.lease.fence }

  // MARK: The lease

  func renew(then: @escaping (Result<Void, any Error>) -> Void) {
    process.database.submit(
      from: process.life, { [right, process] in try $0.renew(right.lease, for: process.leaseDuration) }, then: then)
  }

  /// Finds out whether the turn is still this process's. An answer that comes when the lease's time may be over again is
  /// asked for once more.
  func prove(_ then: @escaping Answer) { attempt(then, work: { self.prove(tries: 2, then: $0) }) }

  private func prove(tries: Int, then: @escaping (Outcome) -> Void) {
    let start = process.agenda.now
    process.database.submit(from: process.life) { [right, process] database -> TurnCourse.Event? in
      if process.isShared { try database.renew(right.lease, for: process.leaseDuration) }
      return nil
    } then: { (result: Outcome) in
      let isLate = self.process.agenda.now - start >= self.process.leaseDuration.nanoseconds
      guard isLate, case .success = result else { return then(result) }
      guard tries > 1 else {
        return then(.failure(LedgerError(.unavailable(mayHaveHappened: true), "The database is too slow.")))
      }
      self.prove(tries: tries - 1, then: then)
    }
  }

  /// Lets others take the turn at once.
  func handOver() { process.handOver(right.lease) }

  // MARK: Calls and events

  func publish(_ entries: [EventEntry], _ then: @escaping Answer) {
    appends += 1
    let key = "\(fence).\(appends)"
    attempt(then, work: { self.append(entries, key: key, then: $0) })
  }

  func keep(_ round: ModelRound, _ then: @escaping Answer) {
    attempt(then) { [turn, fence] database in
      try database.rows { rows throws(LedgerError) in try rows.keep(round, of: turn, fence) }
      return nil
    }
  }

  func open(_ call: String, due: WallTime, _ then: @escaping Answer) {
    attempt(then) { [turn, fence] database in
      let (due, outcome) = try database.rows { rows throws(LedgerError) in
        try rows.open(call, of: turn, fence, due: due)
      }
      return .callOpened(due: due, outcome: outcome)
    }
  }

  func close(_ call: String, _ then: @escaping Answer) {
    attempt(then) { [turn, session, fence] database in
      let outcome = try database.rows { rows throws(LedgerError) in try rows.close(call, of: turn, fence) }
      if outcome == .timedOut { database.note(.callExpired(turn: turn, call: call), of: session) }
      return .callClosed(outcome)
    }
  }

  func look(_ call: String?, _ then: @escaping Answer) {
    attempt(then) { [turn] database in
      let interruption = database.rows { $0.turn(turn)?.interruption }
      let outcome = call.flatMap { call in database.rows { $0.outcome(of: call, in: turn) } }
      return interruption == nil && outcome == nil ? nil : .looked(interruption: interruption, outcome: outcome)
    }
  }

  // MARK: The end

  /// Each step finds out whether it was done before, by this process or another.
  func end(_ ending: TurnEnding, _ then: @escaping Answer) {
    process.database.submit(from: process.life) { [turn, session, fence] database in
      let settled = try database.rows { rows throws(LedgerError) in try rows.settle(turn, fence, ending) }
      database.note(.turnSettled(turn: turn, status: settled.status.rawValue, answer: settled.answer), of: session)
      return settled
    } then: { (result: Result<TurnEnding, any Error>) in
      switch result {
      case .failure(let error): then(Self.endFailed(error))
      case .success(let settled):
        self.append(settled.events, key: "end") { result in
          if case .failure(let error) = result { return then(Self.endFailed(error)) }
          self.endRow(settled.status, then)
        }
      }
    }
  }

  private func endRow(_ status: TurnStore.Status, _ then: @escaping Answer) {
    process.database.submit(from: process.life) { [turn, session, fence] database in
      let isNews = try database.rows { rows throws(LedgerError) in try rows.end(turn, fence, as: status) }
      guard isNews else { return }
      database.note(.turnEnded(turn: turn, status: status.rawValue), of: session)
      database.signal(turn)
    } then: { (result: Result<Void, any Error>) in
      if case .failure(let error) = result { return then(Self.endFailed(error)) }
      self.process.release(self.right.lease)
      then(.ended)
    }
  }

  private static func endFailed(_ error: any Error) -> TurnCourse.Event {
    (error as? LedgerError)?.code == .fenced ? .leaseLost : .endFailed("\(error)")
  }

  // MARK: Again and again

  private func attempt(
    _ then: @escaping Answer, _ body: @escaping (SimulatedDatabase) throws -> TurnCourse.Event?
  ) {
    attempt(then, work: { self.process.database.submit(from: self.process.life, body, then: $0) })
  }

  private func attempt(_ then: @escaping Answer, work: @escaping Work) {
    attempt(work, StorageRetry(), since: process.agenda.now, then)
  }

  private func attempt(_ work: @escaping Work, _ retry: StorageRetry, since start: Moment, _ then: @escaping Answer) {
    work { result in
      switch result {
      case .success(let event): then(event)
      case .failure(let error):
        var retry = retry
        switch retry.failed(error, after: .nanoseconds(Int64(clamping: self.process.agenda.now - start))) {
        case .tell(let event): then(event)
        case .again(let pause):
          if self.process.isStopping { return then(.stopped) }
          self.process.life.after(milliseconds: Int(clamping: pause.nanoseconds / 1_000_000)) {
            self.attempt(work, retry, since: start, then)
          }
        }
      }
    }
  }

  /// Appends as the queue of appends does: tried again under its key while the database is away.
  private func append(
    _ entries: [EventEntry], key: String, tries: Int = appendTries, then: @escaping (Outcome) -> Void
  ) {
    let drafts = entries.map {
      LedgerDraft(
        type: $0.type,
        payload: LedgerRecord(turnID: turn, requestID: request, base: EventID(right.base), body: $0.body).bytes)
    }
    process.database.submit(from: process.life) { [turn, right] database -> TurnCourse.Event? in
      try database.append(drafts, under: right.lease, key: "\(turn).\(key).0")
      return nil
    } then: { (result: Outcome) in
      guard case .failure(let error) = result, case .unavailable = (error as? LedgerError)?.code, tries > 1 else {
        return then(result)
      }
      self.process.life.after(milliseconds: min(25 << min(Self.appendTries - tries, 6), 1_000)) {
        self.append(entries, key: key, tries: tries - 1, then: then)
      }
    }
  }
}
