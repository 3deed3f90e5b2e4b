/// Worth a line in the log; never of effect.
package enum TurnNote: Equatable, Sendable {
  case duplicateEvent(id: String)
  case poisonEvent(id: String, reason: String)
  case unknownEventType(String)
  /// The stream's id and the envelope's differ; the stream's is the cursor.
  case idMismatch(streamID: String, envelopeID: String)
  case staleStream(generation: Int)
  case textHealed(turnID: String)
  /// Events between the cursor and what the backend still keeps may be missing.
  case gap(reason: String)
  case foreignCall(ToolCallKey)
  case repeatedCall(ToolCallKey)
  /// The call cannot be answered: its id is empty or too long for the backend.
  case unanswerableCall(ToolCallKey)
  case lateOutcome(ToolCallKey)
  case refusedDecision(ResolveKitDecisionRefusal)
  case retrying(String)
  case ignored(String)

  /// The note as a sentence.
  package var line: String {
    switch self {
    case .duplicateEvent(let id): "event \(id) was applied before; skipped"
    case .poisonEvent(let id, let reason): "event \(id) cannot be read and is skipped: \(reason)"
    case .unknownEventType(let type): "event type \(type) is not known; passed over"
    case .idMismatch(let stream, let envelope): "stream id \(stream) and envelope id \(envelope) differ"
    case .staleStream(let generation): "an event of closed stream \(generation) is ignored"
    case .textHealed(let turn): "the text of turn \(turn) was corrected"
    case .gap(let reason): "events may be missing: \(reason)"
    case .foreignCall(let key): "call \(key.callID) belongs to another turn, \(key.turnID); not run"
    case .repeatedCall(let key): "call \(key.callID) of turn \(key.turnID) is known; not run again"
    case .unanswerableCall(let key): "a call of turn \(key.turnID) has no usable id; not run"
    case .lateOutcome(let key): "the outcome of call \(key.callID) came too late; discarded"
    case .refusedDecision(let refusal): refusal.description
    case .retrying(let what): "trying again: \(what)"
    case .ignored(let what): "ignored: \(what)"
    }
  }
}
