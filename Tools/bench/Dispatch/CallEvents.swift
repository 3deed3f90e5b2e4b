import ResolveKitCore

/// A session's events: turns of a few calls each, as a backend words them.
struct CallEvents {
  static let callsPerTurn = 8

  struct Turn {
    let begin: [TurnEvent]
    let calls: [TurnEvent]
    let end: [TurnEvent]
  }

  /// Numbers of the turns, so that no id is used twice.
  private var turns = 0
  private let approval: Bool

  init(approval: Bool) { self.approval = approval }

  mutating func next() -> Turn {
    turns += 1
    let turnID = "426e0000-0000-4000-8000-\(100_000_000_000 + turns)"
    let requestID = "r-\(turns)"
    let now = MonotonicNanoseconds(turns) * 1_000_000_000
    func event(_ number: Int, _ type: String, _ payload: JSONObject) -> TurnEvent {
      let id = "1767225600000-\(turns * 16 + number)"
      let envelope = ResolveKitEnvelope(
        eventID: id, turnID: turnID, requestID: requestID, timestamp: "2026-11-21T02:10:29.961756+00:00", type: type,
        payload: payload)
      return .streamEvent(
        StreamEvent(generation: 1, id: id, type: type, data: envelope.json.jsonText, arrivedAt: now))
    }
    let calls = (0..<Self.callsPerTurn).map { number in
      event(
        number, "tool_call_request",
        [
          "call_id": .string("call_8f2c41d0a7b94c6e\(number)"), "function_name": "echo",
          "arguments": ["n": .number(Double(number)), "unit": "metres"], "timeout_seconds": 30,
          "human_description": "Answer with the number that was given.", "requires_approval": .bool(approval),
        ])
    }
    return Turn(
      begin: [
        .sendRequested(OutgoingMessage(requestID: requestID, text: "go"), at: now),
        .messageAccepted(requestID: requestID, turnID: turnID, at: now),
      ], calls: calls, end: [event(15, "turn_complete", ["full_text": "done"])])
  }
}
