import EventLedger
import Foundation

/// Says what is of no turn: what people do in a session.
struct EventPublisher: Sendable {
  let log: SessionLog
  let turns: TurnStore
  let leases: TurnLeases

  /// A turn's process is found to be gone, and the turn ended, in less.
  private static let patience = Duration.seconds(30)

  /// Appends an event to a session's log: between the events of a running turn, under its lease, or under a short one.
  func publish(_ payload: EventPayload, in sessionID: String) async throws {
    let (id, requestID) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
    let end = ContinuousClock.now + Self.patience
    while true {
      let turn = try await turns.running(in: sessionID)
      do {
        if let turn, turn.fence > 0 {
          let stream = SessionLog.stream(of: sessionID)
          return try await append(
            payload, id, requestID, in: sessionID,
            under: LedgerLease(
              stream: stream, holder: "", fence: turn.fence, expiry: WallTime(microseconds: 0)))
        }
        if turn == nil, let lease = try await leases.visit(sessionID, as: id) {
          try await append(payload, id, requestID, in: sessionID, under: lease)
          return await leases.release(lease)
        }
      } catch let error as LedgerError where error.code == .fenced && ContinuousClock.now < end {
        // The turn has ended meanwhile, or is another process's.
      }
      guard ContinuousClock.now < end else {
        throw LedgerError(
          .unavailable(mayHaveHappened: false), "The log of session \(sessionID) is taken; try again later.")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func append(
    _ payload: EventPayload, _ id: String, _ requestID: String, in sessionID: String, under lease: LedgerLease
  ) async throws {
    let base = try await log.extent(of: sessionID).last
    _ = try await log.append(
      [EventEntry(payload)], turnID: id, requestID: requestID, base: base, under: lease, key: id)
  }
}
