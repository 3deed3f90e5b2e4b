import Foundation

/// The ledger's observed contents: the truth against which a client's view is judged.
struct LogTruth {
  struct Event {
    let turn: String
    let type: String
    let body: String
  }

  struct Call {
    let tool: String
    let timeout: Int
    let needsApproval: Bool
    /// Seconds that the calls of its turn up to it may take together.
    let patience: Int
  }

  static let terminalTypes: Set<String> = ["turn_complete", "error", "session_escalated"]

  private(set) var events: [Event] = []
  private(set) var floor: Int64 = 0
  private(set) var lost: Set<Int64> = []
  private(set) var calls: [Observation.Call: Call] = [:]
  /// The calls' requests, by their numbers in the log.
  private(set) var requested: [Int64: Observation.Call] = [:]
  /// The patience of each turn's last call.
  private var patience: [String: Int] = [:]
  /// The whole answers, by turn.
  private(set) var answers: [String: String] = [:]
  /// The terminal events' types, by turn.
  private(set) var ends: [String: String] = [:]
  /// The numbers of the terminal events, by turn.
  private(set) var endNumbers: [String: Int64] = [:]
  /// Turns by their request ids.
  private(set) var turns: [String: String] = [:]

  var last: Int64 { Int64(events.count) }

  func event(_ sequence: Int64) -> Event? {
    sequence > 0 && sequence <= last ? events[Int(sequence - 1)] : nil
  }

  /// A turn's text up to an event and with it.
  func text(of turn: String, through sequence: Int64) -> String {
    let name = turns[turn] ?? turn
    return events.prefix(max(0, Int(clamping: sequence))).filter {
      $0.turn == name && $0.type == "assistant_text_delta"
    }
    .map(\.body).joined()
  }

  /// The ids of a turn's calls up to an event and with it, in order.
  func calls(of turn: String, through sequence: Int64) -> [String] {
    let name = turns[turn] ?? turn
    return requested.filter { $0.key <= sequence && $0.value.turn == name }.sorted { $0.key < $1.key }.map(\.value.id)
  }

  /// Whether the network has lost an event of the turn.
  func hasLost(of turn: String) -> Bool {
    let name = turns[turn] ?? turn
    return lost.contains { event($0)?.turn == name }
  }

  mutating func take(_ observation: Observation) {
    switch observation {
    case .appended(_, _, let turn, let type, let body): append(turn, type, body)
    case .trimmed(let floor): self.floor = floor
    case .eventLost(let id): if let number = Int64(id) { lost.insert(number) }
    case .turnBegun(let turn, let request, _): turns[request] = turn
    case .turnSettled(let turn, _, let answer): if let answer, answers[turn] == nil { answers[turn] = answer }
    default: break
    }
  }

  private mutating func append(_ turn: String, _ type: String, _ body: String) {
    events.append(Event(turn: turn, type: type, body: body))
    if Self.terminalTypes.contains(type), ends[turn] == nil { (ends[turn], endNumbers[turn]) = (type, last) }
    guard type == "turn_complete" || type == "tool_call_request",
      let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    else { return }
    if type == "turn_complete" {
      answers[turn] = object["full_text"] as? String
    } else if let id = object["call_id"] as? String {
      let timeout = object["timeout_seconds"] as? Int ?? 30
      let call = Observation.Call(turn: turn, id: id, repetition: "")
      patience[turn, default: 0] += timeout
      requested[last] = call
      calls[call] = Call(
        tool: object["function_name"] as? String ?? "", timeout: timeout,
        needsApproval: object["requires_approval"] as? Bool ?? false, patience: patience[turn] ?? timeout)
    }
  }
}
