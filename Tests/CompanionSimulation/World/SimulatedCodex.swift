import LinkModel
import ResolveKitCore
import SessionSimulation

/// Codex as the companion's link knows it: a process with one thread, whose turns ask. It outlives its connections, asks
/// again what waits when a companion joins, and numbers its requests anew when it is started anew.
final class SimulatedCodex {
  private struct Question {
    let key: QuestionKey
    let plan: QuestionPlan
    let number: Int
    let startedAt: Moment
  }

  private struct Turn {
    let number: Int
    let plans: [QuestionPlan]
    let isAtOnce: Bool
    var begun = 0
    var completed: [JSONObject] = []
  }

  private let agenda: Agenda
  private let observe: (CompanionObservation) -> Void
  private var generator: SeededGenerator
  private var life: Life?
  /// Counts its processes.
  private(set) var epoch = 0
  private var numbers = 0
  private var turns: [Turn] = []
  private var turn: Turn?
  /// The turn that ended last, and how.
  private var ended: (turn: Turn, status: String)?
  private var open: [Question] = []
  private weak var companion: CompanionProcess?
  private var isJoined = false
  /// Counts connections, so that what is under way is lost with its own.
  private var connection = 0
  /// Counts losses of a connection, which take answers with them; a companion that ends does not.
  private var losses = 0
  private var isCut = false
  private var lastArrival: Moment = 0

  init(on agenda: Agenda, seed: UInt64, observe: @escaping (CompanionObservation) -> Void) {
    self.agenda = agenda
    self.observe = observe
    generator = SeededGenerator(seed: seed ^ 0xc0de)
  }

  private func way() -> Int { Int.random(in: 0...3, using: &generator) }

  var isAtRest: Bool { life != nil && turn == nil && turns.isEmpty }

  // MARK: Its process

  func start() {
    guard life == nil else { return }
    life = Life(on: agenda)
    epoch += 1
    numbers = 0
    beginTurn()
  }

  func kill(down: Int) {
    guard let old = life else { return }
    old.end()
    life = nil
    if let turn { ended = (turn, "interrupted") }
    (turn, open, isJoined) = (nil, [], false)
    observe(.codexEnded)
    losses += 1
    let companion = companion
    disconnect()
    agenda.after(milliseconds: way()) { companion?.codexEnded() }
    agenda.after(milliseconds: down) { self.start() }
  }

  func cut(for milliseconds: Int) {
    observe(.linkCut)
    isCut = true
    losses += 1
    let companion = companion
    disconnect()
    agenda.after(milliseconds: way()) { companion?.disconnected() }
    agenda.after(milliseconds: milliseconds) { self.isCut = false }
  }

  func heal() {
    isCut = false
    start()
  }

  private func disconnect() {
    connection += 1
    (companion, isJoined) = (nil, false)
  }

  // MARK: Its connection

  /// Returns the number of the process that a companion is connected to; nil where there is none.
  func connect(_ new: CompanionProcess) -> Int? {
    guard life != nil, !isCut else { return nil }
    disconnect()
    companion = new
    return epoch
  }

  /// The companion's process is gone; what it has sent arrives.
  func leave(_ old: CompanionProcess) { if companion === old { (companion, isJoined) = (nil, false) } }

  /// Subscribes to the thread, and asks again what waits. `then` is called unless the connection is lost before.
  func join(_ process: CompanionProcess, then: @escaping (_ waits: Bool) -> Void) {
    call(process) {
      self.isJoined = true
      let waits = !self.open.isEmpty
      self.deliver { _ in then(waits) }
      for question in self.open {
        self.observe(.askedAgain(question.key))
        self.ask(question)
      }
    }
  }

  /// The last turn as codex lists it.
  func lastTurn(_ process: CompanionProcess, then: @escaping (JSONObject?) -> Void) {
    call(process) {
      let last = self.turn.map { (turn: $0, status: "inProgress") } ?? self.ended
      let known: JSONObject? = last.map { last in
        [
          "id": .string("turn-\(last.turn.number)"), "status": .string(last.status),
          "items": .array(last.turn.completed.map { .object($0) }),
        ]
      }
      self.deliver { _ in then(known) }
    }
  }

  private func call(_ process: CompanionProcess, _ body: @escaping () -> Void) {
    let current = connection
    agenda.after(milliseconds: way()) {
      guard self.connection == current, self.companion === process, self.life != nil else { return }
      body()
    }
  }

  /// An answer to one of its requests, which arrives even if the companion ends.
  func answer(_ number: Int, accepts: Bool) {
    let current = losses
    agenda.after(milliseconds: way()) {
      guard self.losses == current, self.life != nil else { return }
      guard let question = self.open.first(where: { $0.number == number }) else {
        return self.observe(.answerIgnored(number: number))
      }
      self.observe(.answerTaken(question.key, accepts: accepts))
      self.resolve(question, runs: accepts)
    }
  }

  /// Sends in order.
  private func deliver(_ body: @escaping (CompanionProcess) -> Void) {
    let current = connection
    lastArrival = max(lastArrival, agenda.now.adding(milliseconds: way()))
    agenda.at(lastArrival) {
      guard self.connection == current, let companion = self.companion else { return }
      companion.life.run { if self.connection == current { body(companion) } }
    }
  }

  private func notify(_ method: String, _ params: JSONObject) {
    guard isJoined else { return }
    deliver { $0.receive(method, params) }
  }

  // MARK: Turns

  func take(_ number: Int, _ plans: [QuestionPlan], atOnce: Bool) {
    turns.append(Turn(number: number, plans: plans, isAtOnce: atOnce))
    beginTurn()
  }

  private func beginTurn() {
    guard life != nil, turn == nil, !turns.isEmpty else { return }
    let new = turns.removeFirst()
    turn = new
    observe(.turnBegan(new.number))
    notify("turn/started", ["threadId": .string(CompanionDisk.chat), "turn": reference(new, "inProgress")])
    for _ in 0..<(new.isAtOnce ? new.plans.count : 1) { beginNext() }
    if new.plans.isEmpty { endTurn() }
  }

  private func reference(_ turn: Turn, _ status: String) -> JSONValue {
    ["id": .string("turn-\(turn.number)"), "items": [], "status": .string(status)]
  }

  private func beginNext() {
    guard let running = turn, running.begun < running.plans.count, let life else { return }
    let key = QuestionKey(turn: running.number, place: running.begun)
    let plan = running.plans[running.begun]
    turn?.begun += 1
    life.after(milliseconds: 20 * (running.isAtOnce ? key.place : 1)) {
      self.notify("item/started", self.members(key, ["item": .object(Self.item(key, plan, "inProgress"))]))
      self.numbers += 1
      let question = Question(key: key, plan: plan, number: self.numbers, startedAt: self.agenda.now)
      self.open.append(question)
      self.observe(.asked(key, scope: plan.scope, number: question.number))
      self.ask(question)
      life.after(milliseconds: plan.patience) {
        guard self.open.contains(where: { $0.key == key }) else { return }
        self.observe(.gaveUp(key))
        self.resolve(question, runs: false)
      }
    }
  }

  private func ask(_ question: Question) {
    guard isJoined else { return }
    let (method, params) = request(question)
    deliver { $0.receive(question.number, method, params, question.key) }
  }

  /// The question is over; what may run, runs.
  private func resolve(_ question: Question, runs: Bool) {
    open.removeAll { $0.key == question.key }
    deliverResolved(question)
    if runs { observe(.ran(question.key)) }
    life?.after(milliseconds: runs ? question.plan.duration : 1) {
      let item = Self.item(question.key, question.plan, runs ? "completed" : "declined")
      self.turn?.completed.append(item)
      self.notify("item/completed", self.members(question.key, ["item": .object(item)]))
      if self.turn?.isAtOnce == false { self.beginNext() }
      if let turn = self.turn, turn.completed.count == turn.plans.count { self.endTurn() }
    }
  }

  private func deliverResolved(_ question: Question) {
    guard isJoined else { return }
    let params: JSONObject = [
      "threadId": .string(CompanionDisk.chat), "requestId": .number(Double(question.number)),
    ]
    deliver {
      self.observe(.heardResolved(question.key))
      $0.receive("serverRequest/resolved", params)
    }
  }

  private func endTurn() {
    guard let old = turn else { return }
    turn = nil
    ended = (old, "completed")
    observe(.turnEnded(old.number))
    notify("turn/completed", ["threadId": .string(CompanionDisk.chat), "turn": reference(old, "completed")])
    life?.after(milliseconds: 10) { self.beginTurn() }
  }

  // MARK: Messages

  private func members(_ key: QuestionKey, _ more: JSONObject) -> JSONObject {
    let own: JSONObject = ["threadId": .string(CompanionDisk.chat), "turnId": .string(key.turnID)]
    return own.merging(more) { $1 }
  }

  private static func server(_ plan: QuestionPlan) -> String { "server-\(plan.matter)" }

  private static func item(_ key: QuestionKey, _ plan: QuestionPlan, _ status: String) -> JSONObject {
    let own: JSONObject = ["id": .string(key.itemID), "status": .string(status)]
    let more: JSONObject =
      switch plan.kind {
      case .command: ["type": "commandExecution", "command": .string("make \(plan.matter)"), "cwd": "/work"]
      case .fileChange:
        ["type": "fileChange", "changes": [["path": .string("file-\(plan.matter)"), "diff": "+x"]]]
      case .tool: ["type": "mcpToolCall", "server": .string(server(plan)), "tool": "poke"]
      }
    return own.merging(more) { $1 }
  }

  private func request(_ question: Question) -> (method: String, params: JSONObject) {
    let (key, plan) = (question.key, question.plan)
    let common = members(
      key, ["itemId": .string(key.itemID), "startedAtMs": .number(Double(question.startedAt / 1_000_000))])
    switch plan.kind {
    case .command:
      return (
        "item/commandExecution/requestApproval",
        common.merging(["command": .string("make \(plan.matter)"), "cwd": "/work"]) { $1 }
      )
    case .fileChange: return ("item/fileChange/requestApproval", common)
    case .tool:
      return (
        "mcpServer/elicitation/request",
        common.merging([
          "serverName": .string(Self.server(plan)), "message": "poke?", "requestedSchema": [:],
          "_meta": ["codex_approval_kind": "mcp_tool_call", "tool_params": [:]],
        ]) { $1 }
      )
    }
  }
}
