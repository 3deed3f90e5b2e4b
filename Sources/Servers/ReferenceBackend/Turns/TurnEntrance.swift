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
    guard let lease = try await services.leases.take(turn.sessionID, patience: mustWait ? Self.patience : .zero) else {
      return nil
    }
    let last = try await services.log.extent(of: turn.sessionID).last
    if let claim = try await services.turns.claim(turn, under: lease, last: last) { return claim }
    await services.leases.release(lease)
    return nil
  }

  /// The first event of a turn that was just claimed.
  func opening(_ claim: TurnClaim, isNew: Bool) async throws -> TurnCourse.Event {
    guard let turn = try await services.turns.turn(claim.turnID),
      let session = try await services.sessions.session(claim.sessionID)
    else { return .failed("its session is gone") }
    if let ending = turn.ending { return .abandoned(ending) }
    let rounds = isNew ? [] : try await services.calls.rounds(of: turn.id)
    if !isNew {
      if session.status == SessionRecord.escalated { return .abandoned(.abandoned(isTaken: true)) }
      guard try await isWaiting(claim, rounds) else { return .abandoned(.abandoned(isTaken: false)) }
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

  /// Whether a turn waits for its tools' results: not where something was said behind the calls, which a model would say
  /// once more.
  private func isWaiting(_ claim: TurnClaim, _ rounds: [ModelRound]) async throws -> Bool {
    let last = try await services.log.lastEvent(ofTurn: claim.turnID, in: claim.sessionID, after: claim.base)
    guard let last, last.type == EventPayload.callType, let call = last.payload.objectValue?["call_id"]?.stringValue
    else { return false }
    return rounds.last?.calls.contains { $0.id == call } ?? false
  }
}
