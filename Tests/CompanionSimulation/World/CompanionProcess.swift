import CodexCompanion
import EventLedger
import LinkModel
import ResolveKitCore
import SessionSimulation

/// One life of the companion: the real chat's rules and the real rules of approval, in the order of the real shell. What
/// they keep goes to a simulated disk, and what they say to a simulated codex.
final class CompanionProcess {
  /// The world around it.
  struct Surroundings {
    let agenda: Agenda
    let codex: SimulatedCodex
    let disk: CompanionDisk
    let now: () -> WallTime
    let observe: (CompanionObservation) -> Void
    let onAppend: () -> Void
  }

  private enum Report {
    case notification(String, JSONObject)
    case question(CodexQuestion, QuestionKey)
  }

  let life: Life
  private let around: Surroundings
  private var generator: SeededGenerator
  private var machine = ChatMachine(chatID: CompanionDisk.chat)
  private var policy = ApprovalPolicy()
  private var lease: LedgerLease?
  private var waiting: [ChatEvent] = []
  private var isWriting = false
  /// The codex process that it was connected to last.
  private var knownEpoch: Int?
  private var isConnected = false
  /// Codex's messages while the chat is joined.
  private var held: [Report]?
  private var keys: [String: QuestionKey] = [:]
  private var death: (steps: Int, body: () -> Void)?

  init(_ around: Surroundings, seed: UInt64) {
    self.around = around
    generator = SeededGenerator(seed: seed)
    life = Life(on: around.agenda)
  }

  var isAtRest: Bool { isConnected && held == nil && waiting.isEmpty && !isWriting }

  // MARK: Its life

  func start() {
    around.observe(.companionStarted)
    if let members = around.disk.decisions, let kept = try? ApprovalPolicy(members) { policy = kept }
    lease = try? around.disk.lease()
    for event in around.disk.events(after: 0).compactMap({ ChatEvent($0) }) { machine.restore(event) }
    connect()
  }

  /// Calls `body`, which ends the process, before the thing after so many.
  func end(inSteps steps: Int, _ body: @escaping () -> Void) { death = (max(1, steps), body) }

  func stayAlive() { death = nil }

  /// Whether the process is alive for the next thing that it does.
  private func lives() -> Bool {
    guard let next = death else { return !life.isOver }
    death?.steps = next.steps - 1
    guard next.steps <= 1 else { return !life.isOver }
    death = nil
    next.body()
    return false
  }

  // MARK: Codex

  private func connect() {
    life.after(milliseconds: Int.random(in: 1...20, using: &generator)) {
      guard !self.isConnected else { return }
      guard let epoch = self.around.codex.connect(self) else {
        return self.life.after(milliseconds: 300) { self.connect() }
      }
      self.isConnected = true
      let isSame = self.knownEpoch.map { $0 == epoch } ?? true
      self.knownEpoch = epoch
      if !isSame { self.perform(self.machine.codexEnded(reason: "Codex was started anew.")) }
      guard !self.life.isOver else { return }
      self.held = []
      self.around.codex.join(self) { waits in
        self.around.codex.lastTurn(self) { turn in self.joined(turn, waits: waits) }
      }
    }
  }

  private func joined(_ turn: JSONObject?, waits: Bool) {
    guard lives() else { return }
    perform(machine.rejoined(turn.flatMap { ChatMachine.KnownTurn($0) }, waitsForApproval: waits))
    while let reports = held, !reports.isEmpty, !life.isOver {
      held = []
      for report in reports where !life.isOver { take(report) }
    }
    held = nil
  }

  func disconnected() {
    life.run {
      self.isConnected = false
      self.held = nil
      self.machine.connectionLost()
      self.connect()
    }
  }

  func codexEnded() {
    life.run {
      self.isConnected = false
      self.held = nil
      self.perform(self.machine.codexEnded(reason: "Codex has ended."))
      if !self.life.isOver { self.connect() }
    }
  }

  func receive(_ method: String, _ params: JSONObject) { receive(.notification(method, params)) }

  func receive(_ number: Int, _ method: String, _ params: JSONObject, _ key: QuestionKey) {
    guard let question = CodexQuestion(requestID: .number(Double(number)), method, params) else { return }
    receive(.question(question, key))
  }

  private func receive(_ report: Report) {
    guard lives() else { return }
    if held != nil {
      held?.append(report)
    } else {
      take(report)
    }
  }

  private func take(_ report: Report) {
    switch report {
    case .notification(let method, let params): perform(machine.receive(method, params))
    case .question(let question, let key):
      keys[question.approvalID] = key
      let definition: JSONValue = ["name": "poke"]
      perform(
        machine.receive(question, definition: definition, at: milliseconds) { subject in
          let ruling = policy.ruling(on: subject, chat: CompanionDisk.chat, isProjectClosed: false)
          switch ruling {
          case .ask: break
          case .allow: around.observe(.ruled(key, isYes: true))
          case .deny: around.observe(.ruled(key, isYes: false))
          }
          return ruling
        })
    }
  }

  private var milliseconds: Int64 { around.now().microseconds / 1_000 }

  // MARK: Devices

  /// A device's decision; `then` gets "ok" or the error's code, unless the process ends before.
  func decide(_ id: String, _ answer: ApprovalAnswer, then: @escaping (String) -> Void) {
    guard lives() else { return }
    do {
      let (request, subject) = try machine.question(id)
      var changed = policy
      let isYes = try changed.take(
        answer, on: subject, chat: CompanionDisk.chat, by: nil, now: Int(clamping: milliseconds))
      guard lives() else { return }
      if let key = keys[request.id] { around.observe(.audited(key, isYes: isYes)) }
      guard lives() else { return }
      if changed.allowances != policy.allowances {
        around.disk.keep(changed.members)
        around.observe(.kept(changed.allowances.map(\.summary)))
      }
      policy = changed
      guard lives() else { return }
      perform(try machine.decide(id, answer, content: nil))
      guard lives() else { return }
      then("ok")
    } catch let error as ChatError {
      then(error.code.rawValue)
    } catch let error as ApprovalError {
      then("\(error.code)")
    } catch {
      then("\(error)")
    }
  }

  // MARK: Effects

  private func perform(_ effects: [ChatMachine.Effect]) {
    for effect in effects where lives() {
      switch effect {
      case .publish(let event): publish(event)
      case .reply(let number, let answer):
        let members = answer.objectValue ?? [:]
        let word = (members["decision"] ?? members["action"])?.stringValue
        around.codex.answer(Int(number.numberValue ?? 0), accepts: word == "accept")
      case .refuse(let number, _): around.codex.answer(Int(number.numberValue ?? 0), accepts: false)
      // No simulated person writes to a turn.
      case .alert, .continueTurn: break
      }
    }
  }

  private func publish(_ event: ChatEvent) {
    waiting.append(event)
    guard !isWriting else { return }
    isWriting = true
    life.after(milliseconds: Int.random(in: 1...9, using: &generator)) { self.write() }
  }

  private func write() {
    guard lives(), let lease else { return }
    let batch = waiting
    waiting = []
    isWriting = false
    for event in (try? around.disk.append(batch, under: lease)) ?? [] {
      let reported = ChatEvent(event)
      around.observe(.appended(sequence: event.sequence, name: event.type, approvals: reported?.approvals ?? []))
      if let key = reported?.question { around.observe(.personAsked(key)) }
      if let reported, reported.name == .turnStarted || reported.name == .turnCompleted,
        let turn = reported.payload["turn"]?.objectValue?["id"]?.stringValue
      {
        around.observe(.turnReported(turn, isOver: reported.name == .turnCompleted))
      }
    }
    around.onAppend()
  }
}

extension ChatEvent {
  /// The ids of the approvals that it is about.
  var approvals: [String] {
    switch name {
    case .approvalRequired: payload["id"]?.stringValue.map { [$0] } ?? []
    case .approvalCleared: payload["ids"]?.arrayValue?.compactMap(\.stringValue) ?? []
    case .turnStarted, .messageDelta, .itemStarted, .itemCompleted, .turnCompleted, .error: []
    }
  }

  /// The question that a person is asked by it; nil where it asks none.
  var question: QuestionKey? {
    guard name == .approvalRequired else { return nil }
    return payload["itemId"]?.stringValue.flatMap { QuestionKey(itemID: $0) }
  }
}
