import EventLedger
import Logging
import ResolveKitCore

/// The entrance of a turn to this process: the claim, and the place at which it begins or continues.
struct TurnEntrance: Sendable {
  let services: TurnServices

  /// The time for which a stream may be another's for an event outside a turn, or a little longer.
  private static let patience = Duration.seconds(6)

  /// Takes possession of a turn; nil where another process has it, or it is over. Throws ``LedgerError``.
  func claim(_ turn: TurnStore.Record, isNew: Bool) async throws -> TurnClaim? {
    let mustWait = isNew || !services.leases.isShared
    let patience = mustWait ? Self.patience : .zero
    guard let lease = try await services.leases.take(turn.sessionID, forTurn: turn.id, patience: patience) else {
      return nil
    }
    let last = try await services.log.extent(of: turn.sessionID).last
    if let claim = try await services.turns.claim(turn, under: lease, last: last) { return claim }
    try await services.giveUp(lease, of: turn.sessionID)
    return nil
  }

  /// The first event of a turn that was just claimed.
  func opening(_ claim: TurnClaim, isNew: Bool) async throws -> TurnCourse.Event {
    guard let turn = try await services.turns.turn(claim.turnID),
      let session = try await services.sessions.session(claim.sessionID)
    else { return .failed("its session is gone") }
    let rounds = isNew ? [] : try await services.calls.rounds(of: turn.id)
    if !isNew {
      let legacy = TurnLegacy(
        ending: turn.ending, isTaken: session.status == StoredSession.escalated, rounds: rounds,
        last: try await services.log.lastEvent(ofTurn: turn.id, in: claim.sessionID, after: claim.base))
      if let ending = legacy.abandonment { return .abandoned(ending) }
      services.logger.notice("turn \(turn.id) of session \(session.id) waits on for its tools")
    }
    return .loaded(
      TurnMaterial(
        session: session,
        history: try await services.sessions.messages(
          of: session.id, newest: max(1, services.rules.limits.historyMessages)),
        functions: try await services.functions.active().filter { $0.isEligible(in: session) }, rounds: rounds,
        interruption: try await services.turns.interruption(of: turn.id)))
  }
}
