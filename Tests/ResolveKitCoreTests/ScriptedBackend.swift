@testable import ResolveKitCore

/// A backend in virtual time: one turn at a time, request ids that it remembers for ten minutes, a history, and a log.
struct ScriptedBackend {
  /// The time that the request id of an accepted message is remembered, in nanoseconds.
  static let memory: UInt64 = 600_000_000_000

  struct Turn {
    let id: String
    let message: OutgoingMessage
    let startedAt: MonotonicNanoseconds
  }

  /// Every turn that was begun, in order.
  private(set) var turns: [Turn] = []
  private(set) var running: Turn?
  private(set) var history: [HistoryMessage] = []
  private(set) var log: [StreamEvent] = []

  /// Accepts a message, or answers 409 while another turn runs.
  mutating func post(_ message: OutgoingMessage, at now: MonotonicNanoseconds) -> Result<String, RequestFailure> {
    let known = turns.last { $0.message.requestID == message.requestID }
    if let known, now < known.startedAt.advanced(byNanoseconds: Self.memory) { return .success(known.id) }
    guard running == nil else {
      return .failure(RequestFailure(status: 409, message: "A turn is already in progress"))
    }
    let turn = Turn(id: "turn-\(turns.count + 1)", message: message, startedAt: now)
    turns.append(turn)
    running = turn
    history.append(HistoryMessage(id: "u\(history.count)", role: "user", content: message.text))
    return .success(turn.id)
  }

  /// The running turn comes to its end, with an answer or, where `fails`, with an error.
  mutating func endTurn(fails: Bool = false) {
    guard let turn = running else { return }
    running = nil
    if fails { return append(turn, ResolveKitEventType.error, ["code": "llm_error", "message": "no"]) }
    let answer = Self.answer(to: turn.message.text)
    history.append(HistoryMessage(id: "a\(history.count)", role: "assistant", content: answer))
    append(turn, ResolveKitEventType.turnComplete, ["full_text": .string(answer)])
  }

  static func answer(to text: String) -> String { "answer to \(text)" }

  private mutating func append(_ turn: Turn, _ type: String, _ payload: JSONObject) {
    let id = "e\(log.count)"
    let envelope = ResolveKitEnvelope(
      eventID: id, turnID: turn.id, requestID: turn.message.requestID, type: type, payload: payload)
    log.append(StreamEvent(generation: 0, id: id, type: type, data: envelope.json.jsonText, arrivedAt: 0))
  }
}
