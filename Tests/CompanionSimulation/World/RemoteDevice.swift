import CodexCompanion
import EventLedger
import LinkModel
import SessionSimulation

/// A paired device and the person at it: follows the chat's events, shows what waits, and decides as the schedule says, also
/// about what others have decided meanwhile.
final class RemoteDevice {
  let number: Int
  private let agenda: Agenda
  private let host: CompanionHost
  private let schedule: CompanionSchedule
  private let observe: (CompanionObservation) -> Void
  private var generator: SeededGenerator
  private(set) var cursor: Int64 = 0
  /// The approvals that it shows.
  private(set) var shown: [String] = []
  private var isCut = false
  /// Counts connections: what is under way is lost with its own.
  private var connection = 0
  private var sentUpTo: Int64?
  private var lastArrival: Moment = 0
  private var losesAnswer = false
  private(set) var unanswered = 0

  private static let pause = 500

  init(
    _ number: Int, on agenda: Agenda, _ host: CompanionHost, _ schedule: CompanionSchedule,
    observe: @escaping (CompanionObservation) -> Void
  ) {
    self.number = number
    self.agenda = agenda
    self.host = host
    self.schedule = schedule
    self.observe = observe
    generator = SeededGenerator(seed: schedule.setting.seed ^ (0xde + UInt64(number)))
  }

  private func way() -> Int { Int.random(in: 1...30, using: &generator) }

  // MARK: Its network

  func cut(for milliseconds: Int) {
    isCut = true
    disconnect()
    agenda.after(milliseconds: milliseconds) { self.isCut = false }
  }

  func loseAnswer() { losesAnswer = true }

  func heal() { (isCut, losesAnswer) = (false, false) }

  // MARK: Its stream

  func connect() {
    let current = connection
    agenda.after(milliseconds: way()) {
      guard current == self.connection else { return }
      guard !self.isCut, let process = self.host.process else {
        return self.connectLater()
      }
      process.life.run {
        guard current == self.connection else { return }
        self.sentUpTo = self.cursor
        self.pump()
      }
    }
  }

  func disconnect() {
    connection += 1
    sentUpTo = nil
    connectLater()
  }

  private func connectLater() {
    let current = connection
    agenda.after(milliseconds: Self.pause) { if current == self.connection { self.connect() } }
  }

  /// Takes what is behind its cursor on its way.
  func pump() {
    guard let sent = sentUpTo else { return }
    let current = connection
    for event in host.disk.events(after: sent) {
      sentUpTo = event.sequence
      lastArrival = max(lastArrival, agenda.now.adding(milliseconds: way()))
      agenda.at(lastArrival) { if current == self.connection { self.apply(event) } }
    }
  }

  private func apply(_ event: LedgerEvent) {
    cursor = event.sequence
    observe(.applied(device: number, sequence: event.sequence))
    guard let reported = ChatEvent(event) else { return }
    switch reported.name {
    case .approvalRequired:
      shown += reported.approvals
      if let id = reported.approvals.first, let key = reported.question { consider(id, key) }
    case .approvalCleared: shown.removeAll { reported.approvals.contains($0) }
    case .turnStarted, .messageDelta, .itemStarted, .itemCompleted, .turnCompleted, .error: return
    }
    observe(.shown(device: number, approvals: shown))
  }

  // MARK: Its person

  private func consider(_ id: String, _ key: QuestionKey) {
    guard let reactions = schedule.plan(key)?.reactions, reactions.indices.contains(number),
      let reaction = reactions[number]
    else { return }
    agenda.after(milliseconds: reaction.after) {
      self.unanswered += 1
      self.decide(id, key, reaction.answer)
    }
  }

  /// Sends the decision until an answer comes that reports its outcome.
  private func decide(_ id: String, _ key: QuestionKey, _ answer: QuestionPlan.Reaction.Answer) {
    let losesAnswer = losesAnswer
    self.losesAnswer = false
    observe(.decisionSent(device: number, key, answer: answer.rawValue))
    var isAnswered = false
    let again = {
      guard !isAnswered else { return }
      isAnswered = true
      self.agenda.after(milliseconds: 1_000) { self.decide(id, key, answer) }
    }
    agenda.after(milliseconds: 3_000, again)
    guard !isCut else { return }
    agenda.after(milliseconds: way()) {
      guard let process = self.host.process else { return }
      process.life.run {
        process.decide(id, ApprovalAnswer(rawValue: answer.rawValue) ?? .decline) { code in
          self.observe(.decisionTaken(device: self.number, key, answer: answer.rawValue, code: code))
          guard !losesAnswer, !self.isCut else { return }
          self.agenda.after(milliseconds: self.way()) {
            guard !isAnswered else { return }
            // Codex has not asked again yet: the device shows it on.
            if code == "unconfirmed", self.shown.contains(id) { return again() }
            isAnswered = true
            self.unanswered -= 1
            self.observe(.decisionAnswered(device: self.number, key, answer: answer.rawValue, code: code))
          }
        }
      }
    }
  }
}
