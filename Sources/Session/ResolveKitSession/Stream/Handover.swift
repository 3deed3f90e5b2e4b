import ResolveKitCore

/// A session that a person has taken over. Public servers answer its stream with 410 from then on, although the person
/// continues to write: so the history is read instead, until the user writes, which begins a new session.
struct Handover {
  /// The interval at which the history of such a session is read.
  static let historyInterval = Duration.seconds(15)

  /// A stream's refusal that is held back while the history is read in the stream's place.
  struct Refusal: Equatable {
    let generation: Int
    let failure: RequestFailure
  }

  private enum State {
    case none
    case escalated(sessionID: String)
    case following(sessionID: String, Refusal)
  }

  private var state = State.none

  mutating func escalate(_ sessionID: String) {
    if case .following(sessionID, _) = state { return }
    state = .escalated(sessionID: sessionID)
  }

  /// Holds a refusal back if it is the end of the escalated session's stream. Returns whether it is.
  mutating func holdBack(_ refusal: Refusal, of sessionID: String) -> Bool {
    // A cursor that is too old says nothing of the session.
    guard refusal.failure.status == 410, refusal.failure.code?.contains("cursor") != true else { return false }
    switch state {
    case .escalated(sessionID), .following(sessionID, _): state = .following(sessionID: sessionID, refusal)
    case .none, .escalated, .following: return false
    }
    return true
  }

  /// Ends the reading of the history; returns the refusal that was held back, nil where there is none.
  mutating func takeRefusal() -> Refusal? {
    guard case .following(let sessionID, let refusal) = state else { return nil }
    state = .escalated(sessionID: sessionID)
    return refusal
  }
}
