/// Judges turns as a person sees them: their text, and how they end. Invariants 5 and 12.
struct TurnChecker {
  private var active: String?
  private var taken: [String: Int] = [:]
  private var finished: [String: Int] = [:]
  private var shown: [String: String] = [:]
  private var cancelled: Set<String> = []
  private var requests: [String: String] = [:]
  private var isDurable: Set<String> = []

  mutating func take(_ observation: Observation, _ truth: LogTruth, _ violations: inout Violations) {
    switch observation {
    case .clientStarted: (active, shown) = (nil, [:])
    case .clientRestored(_, let turn?, let text): shown[turn] = text
    case .messageTaken(let request, _):
      violations.require(active == nil, 12, "\(request) is taken while \(active ?? "") is in flight")
      active = request
      taken[request, default: 0] += 1
    case .messageDurable(let request): isDurable.insert(request)
    case .messageLeft(let request): finished[request, default: 0] += 1
    case .messagePosted(let request, _):
      violations.require(isDurable.contains(request), 7, "\(request) is posted before it is on the disk")
    case .turnBegun(let turn, let request, _):
      violations.require(requests[request] == nil, 12, "\(request) began \(requests[request] ?? "") and \(turn)")
      requests[request] = turn
      violations.require(taken[request] != nil, 12, "\(turn) was begun by \(request), which nobody wrote")
    case .cancelled(let request): cancelled.insert(request)
    case .textShown(let turn, let piece): shown[turn, default: ""] += piece
    case .textReplaced(let turn, let text): shown[turn] = text
    case .answerShown(let turn, let text):
      let answer = truth.answers[turn]
      violations.require(answer == text, 5, "the answer of \(turn) is shown as '\(text)', not '\(answer ?? "")'")
    case .turnFinished(let request, let turn, let status, let text, let reason):
      finish(request, turn, status, text, reason, truth, &violations)
    default: break
    }
  }

  private mutating func finish(
    _ request: String, _ turn: String?, _ status: String, _ text: String, _ reason: String?, _ truth: LogTruth,
    _ violations: inout Violations
  ) {
    if active == request { active = nil }
    finished[request, default: 0] += 1
    let seen = turn.flatMap { shown[$0] } ?? shown[request] ?? ""
    violations.require(seen == text, 5, "'\(seen)' is shown of \(request), its result says '\(text)'")
    switch status {
    case "complete":
      let name = turn ?? requests[request] ?? ""
      guard let answer = truth.answers[name] else {
        // An empty answer is kept nowhere but in the event.
        return violations.require(text.isEmpty && truth.ends[name] != nil, 12, "\(request) is complete, \(name) is not")
      }
      violations.require(text == answer, 5, "\(request) ends with '\(text)', the answer is '\(answer)'")
    case "cancelled":
      break
    default:
      violations.require(!(reason ?? "").isEmpty, 12, "\(request) failed without a reason")
    }
  }

  func end(_ violations: inout Violations) {
    violations.require(active == nil, 12, "\(active ?? "") never ended")
    for request in taken.keys.sorted()
    where requests[request] == nil && finished[request] == nil && isDurable.contains(request) {
      violations.add(12, "\(request) was kept, and became nothing")
    }
  }
}
