import EventLedger

/// A process's right to a turn, until another takes it: the lease of the session's stream under which it says what the
/// turn says. Rows of the turn carry its fencing number, and are changed under the newest alone.
struct TurnClaim: Equatable, Sendable {
  let turnID: String
  let sessionID: String
  let requestID: String
  let lease: LedgerLease
  /// The last event of the session before the turn's first.
  let base: EventID
}
