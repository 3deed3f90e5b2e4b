import Logging
import ResolveKitCore

/// The end of turns that a former process left running: a client must never wait in silence.
struct TurnRecovery: Sendable {
  let turns: TurnStore
  let sessions: SessionStore
  let calls: CallStore
  let publisher: EventPublisher
  let logger: Logger

  /// A turn that waits for its tools.
  struct Waiting: Sendable {
    let turn: TurnStore.Record
    let session: SessionRecord
    let rounds: [ModelRound]
  }

  /// Ends with an `error` event every turn but those that wait for their tools' results; returns these.
  func run() async throws -> [Waiting] {
    var waiting: [Waiting] = []
    for turn in try await turns.running() {
      let last = try await publisher.log.lastEvent(ofTurn: turn.id)
      // The crash may have come between the terminal event and the turn's own end.
      if let last, last.isTerminal {
        try await turns.end(turn.id, as: EventPayload.completeTypes.contains(last.type) ? .complete : .failed)
      } else if let last, let found = try await self.waiting(turn, last) {
        waiting.append(found)
      } else {
        try await interrupt(turn)
      }
    }
    return waiting
  }

  /// nil where something was said behind the calls, which a model would say once more; and for a session that a person
  /// has taken over.
  private func waiting(_ turn: TurnStore.Record, _ last: StoredEvent) async throws -> Waiting? {
    guard last.type == EventPayload.callType, let call = last.payload.objectValue?["call_id"]?.stringValue,
      let session = try await sessions.session(turn.sessionID), session.status == SessionRecord.active
    else { return nil }
    // The answer is kept already, and only its event is missing.
    guard try await sessions.messages(of: turn.sessionID, newest: 1).last?.role != MessageRecord.assistantRole else {
      return nil
    }
    let rounds = try await calls.rounds(of: turn.id)
    guard let round = rounds.last, round.calls.contains(where: { $0.id == call }) else { return nil }
    return Waiting(turn: turn, session: session, rounds: rounds)
  }

  private func interrupt(_ turn: TurnStore.Record) async throws {
    // The crash may have come between a person's taking over and the event that tells of it.
    let isTaken = try await sessions.session(turn.sessionID)?.status == SessionRecord.escalated
    let event: EventPayload =
      isTaken
      ? .sessionEscalated(reason: "A person takes over.")
      : .error(
        code: "interrupted", message: "The server was restarted in the middle of the answer. Please ask again.",
        recoverable: true)
    try await publisher.publish([event], sessionID: turn.sessionID, turnID: turn.id, requestID: turn.requestID)
    try await turns.end(turn.id, as: .interrupted)
    logger.notice("turn \(turn.id) of session \(turn.sessionID) was interrupted by a restart")
  }
}
