// The way of one event into the log.
extension ReplayLog {
  /// Returns the event's envelope and its id if it is to be applied. One that is known has no effect, and one that cannot be
  /// read is passed over, so that no reconnect gets it again.
  mutating func take(
    _ event: StreamEvent, _ effects: inout TurnEffects
  ) -> (envelope: ResolveKitEnvelope, id: String?)? {
    let streamID = event.id.isEmpty ? nil : event.id
    if let streamID, !isNew(streamID, &effects) { return nil }
    // WHATWG: an empty `data:` is an event; here it only commits its id.
    guard !event.data.isEmpty else {
      commit(streamID, &effects)
      return nil
    }
    let envelope: ResolveKitEnvelope
    do {
      envelope = try ResolveKitEnvelope(parsing: event.data, fallbackType: event.type)
    } catch {
      effects.note(.poisonEvent(id: event.id, reason: "\(error)"))
      commit(streamID, &effects)
      return nil
    }
    if let streamID, let other = envelope.eventID, !other.hasSameBytes(as: streamID) {
      effects.note(.idMismatch(streamID: streamID, envelopeID: other))
    }
    if streamID == nil, let id = envelope.eventID, !isNew(id, &effects) { return nil }
    return (envelope, streamID ?? envelope.eventID)
  }

  private mutating func isNew(_ id: String, _ effects: inout TurnEffects) -> Bool {
    if accept(id) { return true }
    effects.note(.duplicateEvent(id: id))
    return false
  }

  /// The event's effects are done: a new stream begins after it.
  mutating func commit(_ id: String?, _ effects: inout TurnEffects) {
    guard let id, !id.isEmpty else { return }
    advance(to: id)
    effects.remember(.applied(eventID: id))
    effects.emit(.advanceCursor(id))
  }
}
