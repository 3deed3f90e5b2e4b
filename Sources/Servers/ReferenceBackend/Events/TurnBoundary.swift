/// A place at which a session's log can be cut so that every turn is whole: a delta's text is the sum of its turn's deltas.
struct TurnBoundary {
  /// A turn that has begun and not ended.
  private struct Open {
    let turnID: String
    /// The last event before it.
    let start: EventID?
  }

  private let running: String?
  private var open: Open?
  private var last: EventID?

  /// - Parameter running: the turn that runs, of which nothing goes.
  init(running: String?) { self.running = running }

  /// The last event that may go; nil where none may.
  var end: EventID? {
    guard let open else { return last }
    return open.start
  }

  /// The next event, oldest first; the first one that stays is the last to be visited.
  mutating func visit(_ id: EventID, turnID: String, type: String, isOld: Bool) {
    let isTurns = type == EventPayload.deltaType || type == EventPayload.callType || turnID == running
    if isTurns, open?.turnID != turnID {
      // One turn runs at a time: that which was open is over, though it did not say so.
      open = isOld ? Open(turnID: turnID, start: last) : nil
    } else if isOld, open?.turnID == turnID, EventPayload.terminalTypes.contains(type), turnID != running {
      open = nil
    }
    if isOld { last = id }
  }

  /// There are no more events.
  mutating func finish() {
    if open?.turnID != running { open = nil }
  }
}
