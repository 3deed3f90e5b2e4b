import EventLedger
import ReferenceBackend
import ResolveKitCore
import Testing

/// A turn's machine in virtual time.
struct TurnWorld {
  var machine: TurnCourse
  /// Seconds.
  var now: Int64 = 0
  private let rules: TurnRules
  private let function: FunctionRecord

  init(_ rules: TurnRules = TurnRules(), requiresApproval: Bool = false) {
    machine = TurnCourse(rules: rules)
    self.rules = rules
    function = FunctionRecord(
      id: "f", name: "tool", description: "Does it.", parametersSchema: [:], isActive: true, timeoutSeconds: 30,
      availability: [:], source: "app_inline", packName: nil, requiresApproval: requiresApproval,
      created: WallTime(microseconds: 0))
  }

  /// The moment in some seconds.
  func time(_ seconds: Int64) -> WallTime { WallTime(microseconds: (now + seconds) * 1_000_000) }

  func material(rounds: [ModelRound] = []) -> TurnMaterial {
    TurnMaterial(
      session: StoredSession(id: "s", lastActivity: time(0), created: time(0)),
      history: [
        MessageRecord(
          id: "m", sessionID: "s", sequenceNumber: 1, role: MessageRecord.userRole, content: "x", created: time(0))
      ], functions: [function], rounds: rounds)
  }

  /// The model's first request.
  func conversation() -> ModelConversation {
    ModelConversation(
      messages: [.user("x")],
      tools: [ModelTool(name: "tool", description: "Does it.", parametersSchema: [:])])
  }

  func delta(_ text: String) -> TurnCourse.Action {
    .publish([EventEntry(.assistantTextDelta(delta: text, accumulated: ""))])
  }

  @discardableResult
  mutating func tell(_ event: TurnCourse.Event) -> [TurnCourse.Action] {
    machine.handle(event, now: time(0))
  }

  mutating func expect(
    _ event: TurnCourse.Event, _ actions: [TurnCourse.Action], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(tell(event) == actions, sourceLocation: sourceLocation)
  }

  /// Has the model say something and make calls, up to the first that is asked for.
  mutating func begin(
    asking calls: [ModelToolCall], text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    tell(.loaded(material()))
    tell(.modelSaid(text, part: 0))
    tell(.modelCalled(calls, part: 0))
    let known = calls.filter { $0.name == function.name }
    let round = ModelRound(
      number: 0, text: text, calls: calls,
      timeouts: Dictionary(known.map { ($0.id, 30) }, uniquingKeysWith: { first, _ in first }), usage: nil)
    let actions = tell(.modelEnded(part: 0))
    #expect(actions.first == .keep(round), sourceLocation: sourceLocation)
    guard actions.count == 3, case .publish(let requests) = actions[1] else {
      Issue.record("\(actions)", sourceLocation: sourceLocation)
      return
    }
    #expect(requests.map(\.type) == known.map { _ in "tool_call_request" }, sourceLocation: sourceLocation)
    #expect(actions[2] == .openCall(known[0].id, due: time(30)), sourceLocation: sourceLocation)
  }
}
