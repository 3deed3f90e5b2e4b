import EventLedger
import ReferenceBackend
import ResolveKitCore

/// One turn in one process: performs what the real `TurnCourse` says, step by step.
final class TurnRun {
  private let turn: String
  private let request: String
  private let session: String
  private let isNew: Bool
  private let process: BackendProcess
  private var life: Life { process.life }
  /// The way to the database, once the turn is this process's.
  private var storage: TurnStorage?
  private var course = TurnCourse(rules: TurnRules())
  private var mailbox: [(event: TurnCourse.Event, taken: () -> Void)] = []
  private var isBusy = true
  /// Counts the questions to the model; an older one's answer is not heard any more.
  private var questions = 0
  private var timer: WallTime?

  init(_ turn: String, _ request: String, of session: String, isNew: Bool, in process: BackendProcess) {
    self.turn = turn
    self.session = session
    self.request = request
    self.isNew = isNew
    self.process = process
  }

  /// Takes possession of the turn, and runs it from there.
  func begin() {
    TurnClaiming(turn, of: session, isNew: isNew, in: process).claim { claim in
      guard let claim else { return self.process.forget(self.turn) }
      self.storage = TurnStorage(self.turn, self.request, of: self.session, claim, in: self.process)
      self.open()
    }
  }

  private func open() {
    let isNew = isNew
    process.database.submit(from: life) { [turn, session] database -> TurnCourse.Event in
      guard let row = database.rows({ $0.turn(turn) }) else { return .failed("its session is gone") }
      let rounds = isNew ? [] : row.rounds
      if !isNew {
        let last = database.events(ofTurn: turn, in: session).last.map {
          StreamPage.stored($0.event, $0.record, of: session, text: "")
        }
        let legacy = TurnLegacy(ending: row.ending, isTaken: false, rounds: rounds, last: last)
        if let ending = legacy.abandonment { return .abandoned(ending) }
      }
      return .loaded(Self.material(row, rounds, of: session, database))
    } then: { result in
      let event = (try? result.get()) ?? TurnCourse.Event.failed("the turn cannot be read")
      self.take(event) { self.turnToMailbox() }
    }
  }

  private static func material(
    _ row: SessionRows.Turn, _ rounds: [ModelRound], of session: String, _ database: SimulatedDatabase
  ) -> TurnMaterial {
    let messages = database.rows { $0.messages[session] ?? [] }
    let time = WallTime(microseconds: 0)
    return TurnMaterial(
      session: StoredSession(id: session, lastActivity: time, created: time),
      history: messages.enumerated().map {
        MessageRecord(
          id: "m\($0)", sessionID: session, sequenceNumber: $0 + 1, role: $1.role,
          content: $1.content, created: time)
      }, functions: ModelScript.functions, rounds: rounds, interruption: row.interruption)
  }

  // MARK: The mailbox

  func post(_ event: TurnCourse.Event, taken: @escaping () -> Void = {}) {
    mailbox.append((event, taken))
    if !isBusy { turnToMailbox() }
  }

  private func turnToMailbox() {
    isBusy = false
    if course.isOver {
      process.observe(.turnReleased(turn: turn, backend: process.number), session)
      return process.forget(turn)
    }
    guard !mailbox.isEmpty else { return }
    isBusy = true
    let letter = mailbox.removeFirst()
    take(letter.event) {
      letter.taken()
      self.turnToMailbox()
    }
  }

  /// Tells the machine of an event, and does what follows from it.
  private func take(_ event: TurnCourse.Event, then: @escaping () -> Void) {
    perform(course.handle(event, now: process.now)[...]) {
      self.keepTime()
      then()
    }
  }

  private func perform(_ actions: ArraySlice<TurnCourse.Action>, then: @escaping () -> Void) {
    guard let action = actions.first else { return then() }
    perform(action) { event in
      guard let event else { return self.perform(actions.dropFirst(), then: then) }
      self.take(event, then: then)
    }
  }

  /// Extends the lease, and looks for what was changed without its hearing of it.
  func renew() {
    storage?.renew { result in
      switch result {
      case .success: self.post(.signalled)
      case .failure(let error): if (error as? LedgerError)?.code == .fenced { self.post(.leaseLost) }
      }
    }
  }

  private func keepTime() {
    guard course.deadline != timer else { return }
    timer = course.deadline
    guard let deadline = course.deadline else { return }
    let rest = max(.zero, process.now.duration(to: deadline)).components
    life.after(milliseconds: Int(rest.seconds) * 1_000 + Int(rest.attoseconds / 1_000_000_000_000_000) + 1) {
      if self.timer == deadline { self.post(.timePassed(deadline)) }
    }
  }

  // MARK: Actions

  private typealias Answer = (TurnCourse.Event?) -> Void

  private func perform(_ action: TurnCourse.Action, then: @escaping Answer) {
    guard let storage else { return then(nil) }
    switch action {
    case .ask(let conversation, let part): ask(conversation, part, storage, then)
    case .stopModel:
      questions += 1
      then(nil)
    case .publish(let entries): storage.publish(entries, then)
    case .keep(let round): storage.keep(round, then)
    case .openCall(let call, let due): storage.open(call, due: due, then)
    case .closeCall(let call): storage.close(call, then)
    case .look(let call): storage.look(call, then)
    case .report, .reportEndFailure: then(nil)
    case .end(let ending): storage.end(ending, then)
    case .leave:
      storage.handOver()
      then(nil)
    }
  }

  private func ask(
    _ conversation: ModelConversation, _ part: Int, _ storage: TurnStorage, _ then: @escaping Answer
  ) {
    // Who lost the turn while it waited finds out here.
    storage.prove { refusal in
      if let refusal { return then(refusal) }
      let results = conversation.messages.compactMap {
        if case .toolResult(let id, _, let content) = $0 {
          Observation.ToldResult(id: id, content: content)
        } else {
          nil
        }
      }
      self.process.observe(
        .modelAsked(turn: self.turn, backend: self.process.number, results: results), self.session)
      self.questions += 1
      self.speak(self.process.model.reply(to: conversation)[...], part, self.questions)
      then(nil)
    }
  }

  private func speak(_ steps: ArraySlice<ModelScript.Step>, _ part: Int, _ question: Int) {
    guard question == questions else { return }
    guard let step = steps.first else { return post(.modelEnded(part: part)) }
    guard case .output(let output, let pause) = step else {
      return post(
        .modelFailed(.model(code: "llm_error", reported: "The model failed.", logged: "broken"), part: part))
    }
    life.after(milliseconds: pause) {
      guard question == self.questions else { return }
      let event: TurnCourse.Event =
        switch output {
        case .text(let text): .modelSaid(text, part: part)
        case .toolCalls(let calls): .modelCalled(calls, part: part)
        case .usage(let usage): .modelUsed(usage, part: part)
        }
      self.post(event) { self.speak(steps.dropFirst(), part, question) }
    }
  }
}
