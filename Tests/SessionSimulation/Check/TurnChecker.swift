/// Judges turns as a person sees them: their text, and how they end. Invariants 5 and 12.
struct TurnChecker {
  private var active: String?
  private var taken: [String: Int] = [:]
  private var finished: [String: Int] = [:]
  private var shown: [String: String] = [:]
  /// Turns of which all that is shown is of an earlier attempt at their message, which was left before they ended.
  private var isOfEarlierAttempt: Set<String> = []
  private var cancelled: Set<String> = []
  private var requests: [String: String] = [:]
  private var isDurable: Set<String> = []
  private let seesConnection: Bool
  /// Turns whose last word has come, in any life.
  private var heard: Set<String> = []
  /// The times at which something was last heard of a turn, or of the message in flight.
  private var lastHeard: Moment = 0
  /// A turn that has failed with no event, which the end of the connection may explain.
  private var unexplained: (request: String, at: Moment)?

  /// The time after which a client may give a silent turn up.
  private static let patience: Moment = 600_000_000_000

  /// - Parameter seesConnection: whether it is told of the connection's states.
  init(seesConnection: Bool) { self.seesConnection = seesConnection }

  mutating func take(
    _ observation: Observation, at now: Moment, _ truth: LogTruth, _ violations: inout Violations
  ) {
    explain(observation, now, &violations)
    switch observation {
    case .eventApplied(_, let turn?, let type):
      lastHeard = now
      if LogTruth.terminalTypes.contains(type) { heard.insert(turn) }
    case .clientStarted: (active, shown) = (nil, [:])
    case .clientRestored(_, let turn?, let text, _): shown[turn] = text
    case .messageTaken(let request, _):
      violations.require(active == nil, 12, "\(request) is taken while \(active ?? "") is in flight")
      active = request
      lastHeard = now
      taken[request, default: 0] += 1
      if let turn = requests[request] { isOfEarlierAttempt.insert(turn) }
    case .messageDurable(let request): isDurable.insert(request)
    case .messageLeft(let request): finished[request, default: 0] += 1
    case .messagePosted(let request, _):
      violations.require(isDurable.contains(request), 7, "\(request) is posted before it is on the disk")
    case .turnBegun(let turn, let request, _):
      violations.require(requests[request] == nil, 12, "\(request) began \(requests[request] ?? "") and \(turn)")
      requests[request] = turn
      violations.require(taken[request] != nil, 12, "\(turn) was begun by \(request), which nobody wrote")
    case .cancelled(let request): cancelled.insert(request)
    case .textShown(let turn, let piece):
      shown[turn, default: ""] += piece
      isOfEarlierAttempt.remove(turn)
    case .textReplaced(let turn, let text):
      shown[turn] = text
      isOfEarlierAttempt.remove(turn)
    case .answerShown(let turn, let text):
      let answer = truth.answers[turn]
      violations.require(answer == text, 5, "the answer of \(turn) is shown as '\(text)', not '\(answer ?? "")'")
    case .turnFinished(let request, let turn, let status, let text, let reason):
      finish(request, turn, status, text, reason, truth, &violations)
      let wasToldSo = heard.contains(turn ?? requests[request] ?? "") || now >= lastHeard + Self.patience
      // A message that has become no turn has its own reasons.
      if status == "failed", turn != nil, !wasToldSo, seesConnection { unexplained = (request, now) }
    default: break
    }
  }

  /// A turn ends with the connection, in the same moment.
  private mutating func explain(_ observation: Observation, _ now: Moment, _ violations: inout Violations) {
    guard let failure = unexplained else { return }
    guard now > failure.at else {
      switch observation {
      case .connection("failed"), .connection("blocked"), .connection("idle"), .clientEnded: unexplained = nil
      default: break
      }
      return
    }
    unexplained = nil
    violations.add(12, "\(failure.request) failed, and nobody had said so")
  }

  private mutating func finish(
    _ request: String, _ turn: String?, _ status: String, _ text: String, _ reason: String?, _ truth: LogTruth,
    _ violations: inout Violations
  ) {
    if active == request { active = nil }
    finished[request, default: 0] += 1
    let seen = turn.flatMap { shown[$0] } ?? shown[request] ?? ""
    // An attempt that brought no text has none in its result; what an earlier one has shown stays.
    let isUntouched = text.isEmpty && status == "failed" && isOfEarlierAttempt.contains(turn ?? requests[request] ?? "")
    violations.require(seen == text || isUntouched, 5, "'\(seen)' is shown of \(request), its result says '\(text)'")
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
