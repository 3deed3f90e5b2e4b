import ArgumentParser
import ResolveKitCore
import ResolveKitNetworking

/// A session's log as a backend replays it: turns of text, each with one tool call.
struct ReplayHistory {
  /// Deltas of one answer.
  private static let deltas = 96

  private(set) var events: [StreamEvent] = []
  private(set) var turns = 0
  private(set) var lastID = ""

  init(events count: Int) {
    events.reserveCapacity(count + 100)
    while events.count < count { addTurn() }
  }

  private static func requestID(_ turn: Int) -> String { "request-\(turn)" }

  private mutating func addTurn() {
    turns += 1
    var text = ""
    for index in 0..<Self.deltas {
      let delta = "word\(index) "
      text += delta
      add("assistant_text_delta", ["delta": .string(delta), "accumulated": .string(text)])
    }
    add(
      "tool_call_request",
      ["call_id": "call_1", "function_name": "count", "arguments": ["n": 1], "timeout_seconds": 30])
    add("turn_complete", ["full_text": .string(text), "usage": ["prompt_tokens": 1, "completion_tokens": 2]])
    add("feedback_requested", ["immediate": false])
  }

  private mutating func add(_ type: String, _ payload: JSONObject) {
    lastID = "1763690000000-\(events.count)"
    let envelope = ResolveKitEnvelope(
      eventID: lastID, turnID: "turn-\(turns)", requestID: Self.requestID(turns),
      timestamp: "2026-11-21T02:10:29.961756+00:00", type: type, payload: payload)
    events.append(
      StreamEvent(
        generation: 1, id: lastID, type: type, data: envelope.json.jsonText,
        arrivedAt: MonotonicNanoseconds(events.count)))
  }

  /// Feeds all of it to a machine, and keeps what that says is to be kept; answers events per second, the way to the
  /// disk included.
  func replay(into journal: SessionJournal?) async throws -> Double {
    var machine = TurnMachine()
    var clock: MonotonicNanoseconds = 1
    func handle(_ event: TurnEvent) -> [TurnAction] {
      let actions = machine.handle(event)
      if let journal, !machine.record.isEmpty { journal.append(machine.record, time: clock) }
      return actions
    }
    let start = ContinuousClock.now
    _ = handle(.startRequested(tools: [ToolPolicy(name: "count", requiresApproval: false)]))
    _ = handle(.registered)
    _ = handle(.sessionCreated(sessionID: journal?.sessionID ?? "session", isReused: false))
    _ = handle(.streamOpened(generation: 1, at: clock))
    var turn = 0
    var started = 0
    for event in events {
      clock += 1
      if !machine.isTurnInProgress, event.type != "feedback_requested" {
        turn += 1
        _ = handle(.sendRequested(OutgoingMessage(requestID: Self.requestID(turn), text: "go"), at: clock))
      }
      for action in handle(.streamEvent(event)) {
        guard case .startTool(let call) = action else { continue }
        started += 1
        _ = handle(.toolFinished(call.key, .success("done"), at: clock))
        _ = handle(.resultAccepted(call.key, deduplicated: false, at: clock))
      }
      await journal?.room()
    }
    await journal?.close()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard machine.cursor == lastID, started == turns, !machine.isTurnInProgress else {
      throw ValidationError("Not every event took effect; the speed means nothing.")
    }
    return Double(events.count) / max(seconds, 1e-9)
  }
}
