import EventLedger
import ReferenceBackend

/// The right to a turn: the lease, and the last event before the turn's first.
struct TurnRight {
  let lease: LedgerLease
  let base: Int64
}

/// A process's claim on a turn, in the steps and with the patience of the real shell.
final class TurnClaiming {
  private let turn: String
  private let session: String
  private let isNew: Bool
  private let process: BackendProcess
  private var then: (TurnRight?) -> Void = { _ in }

  /// - Parameter isNew: whether this process began the turn, and no other had it.
  init(_ turn: String, of session: String, isNew: Bool, in process: BackendProcess) {
    self.turn = turn
    self.session = session
    self.isNew = isNew
    self.process = process
  }

  /// One that was begun here and is nobody's yet would be silent for ever; others have theirs looked after again and again.
  private var mustWait: Bool { isNew || !process.isShared }

  /// Takes possession of the turn, as long as it is of use to try; nil where another has it, or it is over.
  func claim(then: @escaping (TurnRight?) -> Void) {
    self.then = then
    tryToClaim()
  }

  private func tryToClaim() {
    guard !process.isStopping else { return then(nil) }
    takeLease(until: process.agenda.now.adding(milliseconds: mustWait ? 6_000 : 0)) { result in
      switch result {
      case .failure: self.giveUpOrWait()
      case .success(nil): self.look()
      case .success(let lease?): self.claim(under: lease)
      }
    }
  }

  private func giveUpOrWait() {
    guard mustWait else { return then(nil) }
    process.life.after(milliseconds: 250) { self.tryToClaim() }
  }

  private func takeLease(until end: Moment, then: @escaping (Result<LedgerLease?, any Error>) -> Void) {
    process.lease(of: session, forTurn: turn) { result in
      guard case .success(nil) = result, self.process.agenda.now < end else { return then(result) }
      self.process.life.after(milliseconds: 50) { self.takeLease(until: end, then: then) }
    }
  }

  private func claim(under lease: LedgerLease) {
    process.database.submit(from: process.life) { [turn, session, process] database in
      let last = database.extent(of: session).last
      let base = database.rows { $0.claim(turn, under: lease.fence, last: last) }
      // Now it is the process's, whenever that hears of it.
      if base != nil {
        database.note(.turnClaimed(turn: turn, backend: process.number, fence: lease.fence), of: session)
      }
      return base
    } then: { result in
      switch result {
      case .failure: self.giveUpOrWait()
      case .success(nil):
        self.process.giveUp(lease, of: self.session)
        self.look()
      case .success(let base?): self.then(TurnRight(lease: lease, base: base))
      }
    }
  }

  /// Whether it is of use to try once more.
  private func look() {
    process.database.submit(from: process.life) { [turn] in
      $0.rows { $0.turn(turn) }
    } then: { result in
      guard case .success(let row) = result else { return self.giveUpOrWait() }
      guard let row, row.status == .running, self.isNew ? row.fence == 0 : !self.process.isShared else {
        return self.then(nil)
      }
      self.process.life.after(milliseconds: 250) { self.tryToClaim() }
    }
  }
}
