package import SessionSimulation

/// Judges a companion's run by what was observed of it: codex does nothing without a person's yes to exactly that, a
/// decision is used once and is never lost, and all devices see one log.
package struct CompanionChecker {
  private enum Outcome {
    case ran
    case declined
    case gaveUp
    case lost
  }

  private var found = Violations()
  private var scopes: [QuestionKey: String] = [:]
  private var open: [QuestionKey: Int] = [:]
  private var outcomes: [QuestionKey: Outcome] = [:]
  /// Questions that somebody said yes, or a no that was taken, to.
  private var approved: Set<QuestionKey> = []
  private var declined: Set<QuestionKey> = []
  private var audited: Set<QuestionKey> = []
  /// Scopes that somebody allowed for the chat in this life of the companion, and permanently.
  private var session: Set<String> = []
  private var always: Set<String> = []
  /// Scopes whose allowance permanently was taken by the companion, which keeps it.
  private var kept: Set<String> = []
  private var resolvedHeard: Set<QuestionKey> = []
  /// Questions that were decided in this life of the companion.
  private var decided: Set<QuestionKey> = []
  /// Decisions that were taken whose answer codex does not have: since when it could be there, and whether the connection was
  /// lost meanwhile.
  private var underWay: [QuestionKey: (since: Moment, wasCut: Bool)] = [:]
  private var heldUpUntil: Moment = 0
  /// Questions that codex asked when their scope was allowed permanently.
  private var needless: Set<QuestionKey> = []
  private var last: Int64 = 0
  private var begunTurns: Set<String> = []
  private var endedTurns: Set<String> = []
  private var required: Set<String> = []
  private var cleared: Set<String> = []
  private var seen: [Int: Int64] = [:]
  private var shown: [Int: [String]] = [:]

  package init() {}

  /// The violations, as sentences; empty for none.
  package var violations: [String] { found.sentences }

  /// The way of an answer to codex, at most.
  private static let way: Moment = 50_000_000

  package mutating func take(_ observation: CompanionObservation, at now: Moment) {
    switch observation {
    case .asked(let key, let scope, let number):
      scopes[key] = scope
      open[key] = number
      if kept.contains(scope) { needless.insert(key) }
    case .askedAgain(let key):
      // What it is about may have been lost with the companion's memory.
      needless.remove(key)
      if underWay[key] != nil { underWay[key] = (now, false) }
    case .answerTaken(let key, let accepts): answered(key, accepts)
    case .gaveUp(let key): giveUp(key, now)
    case .ran(let key):
      found.require(outcomes[key] == .ran, 9, "\(key) runs without an answer")
    case .codexEnded: for key in open.keys.sorted(by: { "\($0)" < "\($1)" }) { end(key, .lost) }
    case .linkCut: for key in underWay.keys { underWay[key]?.wasCut = true }
    case .companionStarted: (session, decided) = ([], [])
    case .companionPaused(let time):
      heldUpUntil = max(heldUpUntil, now.adding(milliseconds: time).adding(milliseconds: 1_000))
    // An answer that was lost is known to this process alone.
    case .companionEnded: underWay = underWay.filter { !$0.value.wasCut }
    case .heardResolved(let key): resolvedHeard.insert(key)
    case .audited(let key, let isYes): if isYes { audited.insert(key) }
    case .ruled(let key, let isYes): if isYes { audited.insert(key) }
    case .personAsked(let key):
      found.require(!needless.contains(key), 9, "\(key) is asked, though \(scopes[key] ?? "") was allowed permanently")
    case .appended(let sequence, let name, let approvals): append(sequence, name, approvals)
    case .decisionSent(_, let key, let answer): sent(key, answer)
    case .decisionTaken(_, let key, let answer, let code): taken(key, answer, code, now)
    case .applied(let device, let sequence):
      let before = seen[device] ?? 0
      found.require(sequence == before + 1, 1, "device \(device) applies event \(sequence) behind \(before)")
      seen[device] = sequence
    case .shown(let device, let approvals): shown[device] = approvals
    case .turnReported(let turn, let isOver):
      found.require(
        (isOver ? endedTurns.insert(turn) : begunTurns.insert(turn)).inserted, 12,
        "\(turn) is reported to \(isOver ? "end" : "begin") twice")
    case .decisionAnswered, .answerIgnored, .turnBegan, .turnEnded, .kept: break
    }
  }

  // MARK: Codex

  private mutating func answered(_ key: QuestionKey, _ accepts: Bool) {
    guard accepts else { return end(key, .declined) }
    let scope = scopes[key] ?? ""
    found.require(
      approved.contains(key) || session.contains(scope) || always.contains(scope), 9,
      "codex gets a yes to \(key), which nobody said")
    found.require(!declined.contains(key), 9, "codex gets a yes to \(key), which was declined")
    found.require(audited.contains(key), 9, "codex gets a yes to \(key), which is not in the audit log")
    end(key, .ran)
  }

  /// A decision that was taken in time reaches codex, whichever process ends meanwhile.
  private mutating func giveUp(_ key: QuestionKey, _ now: Moment) {
    if let (since, wasCut) = underWay[key], !wasCut, now > heldUpUntil {
      found.require(now - since <= Self.way, 8, "\(key) was decided, and codex never learnt of it")
    }
    end(key, .gaveUp)
  }

  private mutating func end(_ key: QuestionKey, _ outcome: Outcome) {
    found.require(outcomes[key] == nil, 9, "\(key) ends twice")
    outcomes[key] = outcome
    open[key] = nil
    underWay[key] = nil
  }

  // MARK: Decisions

  private mutating func sent(_ key: QuestionKey, _ answer: String) {
    guard answer != "decline" else { return }
    approved.insert(key)
    if answer == "allow_for_session" { session.insert(scopes[key] ?? "") }
    if answer == "allow_always" { always.insert(scopes[key] ?? "") }
  }

  private mutating func taken(_ key: QuestionKey, _ answer: String, _ code: String, _ now: Moment) {
    guard code == "ok" else { return }
    found.require(!resolvedHeard.contains(key), 9, "a decision on \(key) is taken, which is known to be over")
    found.require(decided.insert(key).inserted, 9, "two decisions on \(key) are taken")
    if answer == "decline" { declined.insert(key) }
    if answer == "allow_always" { kept.insert(scopes[key] ?? "") }
    if outcomes[key] == nil { underWay[key] = (now, false) }
  }

  // MARK: The log

  private mutating func append(_ sequence: Int64, _ name: String, _ approvals: [String]) {
    found.require(sequence == last + 1, 1, "event \(sequence) follows \(last)")
    last = sequence
    for id in approvals {
      if name == "approval_required" {
        found.require(required.insert(id).inserted, 1, "approval \(id) is reported twice")
      } else {
        found.require(required.contains(id), 1, "approval \(id) is cleared, which was never reported")
        found.require(cleared.insert(id).inserted, 1, "approval \(id) is cleared twice")
      }
    }
  }

  /// The world is at rest, or will never be.
  ///
  /// - Parameter unrest: what has not come to an end; nil for nothing.
  package mutating func end(unrest: String?) {
    if let unrest { return found.add(15, "the world never comes to rest: \(unrest)") }
    found.require(open.isEmpty, 12, "codex still waits: \(open.keys.map { "\($0)" }.sorted())")
    found.require(required == cleared, 12, "approvals are never cleared: \(required.subtracting(cleared).sorted())")
    found.require(
      begunTurns.isSubset(of: endedTurns), 12, "turns never end: \(begunTurns.subtracting(endedTurns).sorted())")
    for device in 0..<CompanionSchedule.devices {
      found.require(
        seen[device] ?? 0 == last, 1, "device \(device) is at event \(seen[device] ?? 0), the last is \(last)")
      found.require(shown[device] ?? [] == [], 12, "device \(device) still shows \(shown[device] ?? [])")
    }
  }
}
