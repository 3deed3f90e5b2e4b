package import EventLedger
import ResolveKitCore

/// The course of a turn from its message to its end. Pure: it takes facts, and returns actions
/// and the time of its next deadline.
///
/// The caller performs the actions in order, and reports the next fact when all are done: an action
/// whose outcome is missing yet is never in the way of the next one.
package struct TurnCourse: Equatable, Sendable {
  /// A fact.
  package enum Event: Equatable, Sendable {
    /// The turn is this process's, and what it needs is there.
    case loaded(TurnMaterial)
    /// The turn is this process's, and nothing is left but to end it so.
    case abandoned(TurnEnding)
    case modelSaid(String, part: Int)
    case modelCalled([ModelToolCall], part: Int)
    case modelUsed(ModelUsage, part: Int)
    case modelEnded(part: Int)
    case modelFailed(TurnFailure, part: Int)
    /// The call is on disk as one that is waited for; its time ends at `due`.
    case callOpened(due: WallTime, outcome: CallOutcome?)
    /// The call takes no result any more; this is its outcome.
    case callClosed(CallOutcome)
    /// Rows of the turn were changed, here or elsewhere.
    case signalled
    /// The changes that are of interest to the turn.
    case looked(interruption: TurnInterruption?, outcome: CallOutcome?)
    case timePassed(WallTime)
    case ended
    case endFailed(String)
    /// Something that the turn needs failed permanently.
    case failed(String)
    /// Another process has the turn.
    case leaseLost
    /// The process stops.
    case stopped
  }

  /// An action.
  package enum Action: Equatable, Sendable {
    /// Ask the model, and report its words under the part's number.
    case ask(ModelConversation, part: Int)
    case stopModel
    case publish([EventEntry])
    /// Keep a round before its calls are asked for.
    case keep(ModelRound)
    /// Begin to wait for a call whose time, if it begins now, ends at `due`; report `callOpened`.
    case openCall(String, due: WallTime)
    /// A call's time is over; report `callClosed`.
    case closeCall(String)
    /// Look up the changes; report `looked`.
    case look(call: String?)
    /// For the log.
    case report(TurnFailure)
    /// Store the turn's end, write it, and release the turn lock; report `ended` or `endFailed`.
    case end(TurnEnding)
    case reportEndFailure(String)
    /// Release the turn silently: the next process continues it.
    case leave
  }

  private enum State: Equatable {
    case loading
    case asking(ModelPart)
    case opening(ToolExchange)
    case waiting(ToolExchange, due: WallTime)
    case closing(ToolExchange)
    case ending(TurnEnding, pause: Duration)
    case pausing(TurnEnding, pause: Duration, until: WallTime)
    case over
  }

  private let rules: TurnRules
  private var state = State.loading
  private var dialogue: TurnDialogue?

  package init(rules: TurnRules) { self.rules = rules }

  /// The time at which ``Event/timePassed`` is due.
  package var deadline: WallTime? {
    switch state {
    case .waiting(_, let due): due
    case .pausing(_, _, let time): time
    case .loading, .asking, .opening, .closing, .ending, .over: nil
    }
  }

  /// Whether the turn waits for a call that a person has to approve. What it has come to is on disk.
  package var isHeld: Bool {
    switch state {
    case .waiting(let exchange, _): exchange.call.map { dialogue?.function($0)?.requiresApproval ?? false } ?? false
    case .loading, .asking, .opening, .closing, .ending, .pausing, .over: false
    }
  }

  package var isOver: Bool { state == .over }

  /// Whether what the model says in a part is wanted.
  package func isAsking(part: Int) -> Bool {
    if case .asking(let current) = state { return current.number == part }
    return false
  }

  /// Takes what happened; returns what is to be done.
  package mutating func handle(_ event: Event, now: WallTime) -> [Action] {
    switch event {
    case .loaded(let material): return begin(material, now)
    case .abandoned(let ending): return end(ending)
    case .modelSaid(let text, let part): return said(text, part)
    case .modelCalled(let calls, let part):
      change(part) { $0.calls += calls }
      return []
    case .modelUsed(let usage, let part):
      change(part) { $0.usage = usage }
      return []
    case .modelEnded(let part): return modelEnded(part, now)
    case .modelFailed(let failure, let part): return isAsking(part: part) ? fail(failure) : []
    case .callOpened(let due, let outcome): return opened(due, outcome, now)
    case .callClosed(let outcome):
      guard case .closing(let exchange) = state else { return [] }
      return settle(exchange, outcome, now)
    case .signalled: return look()
    case .looked(let interruption, let outcome): return looked(interruption, outcome, now)
    case .timePassed(let time): return passed(time)
    case .ended:
      if case .ending = state { state = .over }
      return []
    case .endFailed(let reason): return endFailed(reason, now)
    case .failed(let reason): return fail(.other(reason))
    case .leaseLost, .stopped: return leave()
    }
  }

  private mutating func begin(_ material: TurnMaterial, _ now: WallTime) -> [Action] {
    guard case .loading = state else { return [] }
    var dialogue = TurnDialogue(material, rules)
    let exchange = dialogue.resume(material.rounds)
    self.dialogue = dialogue
    if let interruption = material.interruption { return end(.interrupted(by: interruption, text: dialogue.text)) }
    return exchange.map { advance($0, now) } ?? ask(now)
  }

  private mutating func ask(_ now: WallTime) -> [Action] {
    guard var dialogue, let part = dialogue.nextPart() else { return fail(.tooManyToolRounds) }
    self.dialogue = dialogue
    state = .asking(part)
    return [.ask(dialogue.conversation, part: part.number)]
  }

  private mutating func change(_ part: Int, _ body: (inout ModelPart) -> Void) {
    guard case .asking(var current) = state, current.number == part else { return }
    body(&current)
    state = .asking(current)
  }

  private mutating func said(_ text: String, _ number: Int) -> [Action] {
    guard case .asking(var part) = state, part.number == number, var dialogue else { return [] }
    guard let delta = part.delta(text, after: dialogue.text) else { return [] }
    guard dialogue.say(delta) else { return fail(.answerTooLong(limit: rules.limits.answerBytes)) }
    self.dialogue = dialogue
    state = .asking(part)
    // Readers of the event sum the text so far up themselves.
    return rules.streamsText ? [.publish([EventEntry(.assistantTextDelta(delta: delta, accumulated: ""))])] : []
  }

  private mutating func modelEnded(_ number: Int, _ now: WallTime) -> [Action] {
    guard case .asking(let part) = state, part.number == number, var dialogue else { return [] }
    dialogue.count(part.usage)
    guard !part.calls.isEmpty else {
      return end(.complete(dialogue.text, dialogue.usage, asksForFeedback: rules.asksForFeedback))
    }
    if rules.offersEscalation, let reason = ModelEscalation.reason(in: part.calls) {
      return end(.escalated(reason: reason, text: dialogue.text))
    }
    let round = dialogue.round(part)
    let requests = dialogue.requests(round)
    self.dialogue = dialogue
    // On disk before the client is asked: a result may come at once, or to another process.
    let actions: [Action] = [.keep(round)] + (requests.isEmpty ? [] : [.publish(requests)])
    return actions + advance(ToolExchange(round), now)
  }

  /// Continues with the next call that the client was asked for; asks the model where there is none.
  private mutating func advance(_ exchange: ToolExchange, _ now: WallTime) -> [Action] {
    var exchange = exchange
    while let call = exchange.call {
      if let seconds = exchange.seconds(for: call) {
        state = .opening(exchange)
        return [.openCall(call.id, due: now + .seconds(seconds))]
      }
      dialogue?.take("There is no function named '\(call.name)'.", of: call)
      exchange.advance()
    }
    guard let next = dialogue?.finish(exchange) else { return ask(now) }
    return advance(next, now)
  }

  private mutating func opened(_ due: WallTime, _ outcome: CallOutcome?, _ now: WallTime) -> [Action] {
    guard case .opening(let exchange) = state, let call = exchange.call else { return [] }
    if let outcome { return settle(exchange, outcome, now) }
    // A clock that was set meanwhile makes no call's time longer.
    state = .waiting(exchange, due: min(due, now + .seconds(exchange.seconds(for: call) ?? 0)))
    return []
  }

  /// Takes a call's outcome. The results are taken in the calls' order, and a call's time begins when its turn to be taken
  /// comes.
  private mutating func settle(_ exchange: ToolExchange, _ outcome: CallOutcome, _ now: WallTime) -> [Action] {
    var exchange = exchange
    if let call = exchange.call {
      dialogue?.take(outcome, of: call, seconds: exchange.seconds(for: call) ?? 0)
      exchange.advance()
    }
    return advance(exchange, now)
  }

  private func look() -> [Action] {
    switch state {
    case .asking, .opening, .closing: [.look(call: nil)]
    case .waiting(let exchange, _): [.look(call: exchange.call?.id)]
    case .loading, .ending, .pausing, .over: []
    }
  }

  private mutating func looked(
    _ interruption: TurnInterruption?, _ outcome: CallOutcome?, _ now: WallTime
  ) -> [Action] {
    switch state {
    case .ending, .pausing, .over: return []
    case .asking:
      guard let interruption else { return [] }
      return [.stopModel] + end(.interrupted(by: interruption, text: dialogue?.text ?? ""))
    case .loading, .opening, .waiting, .closing:
      if let interruption { return end(.interrupted(by: interruption, text: dialogue?.text ?? "")) }
      guard case .waiting(let exchange, _) = state, let outcome else { return [] }
      return settle(exchange, outcome, now)
    }
  }

  private mutating func passed(_ time: WallTime) -> [Action] {
    switch state {
    case .waiting(let exchange, let due):
      guard due == time, let call = exchange.call else { return [] }
      state = .closing(exchange)
      return [.closeCall(call.id)]
    case .pausing(let ending, let pause, let until):
      guard until == time else { return [] }
      state = .ending(ending, pause: pause)
      return [.end(ending)]
    case .loading, .asking, .opening, .closing, .ending, .over: return []
    }
  }

  private mutating func fail(_ failure: TurnFailure) -> [Action] {
    switch state {
    case .ending, .pausing, .over: return []
    case .loading, .asking, .opening, .waiting, .closing:
      let isAsking = if case .asking = state { true } else { false }
      let actions: [Action] = isAsking ? [.report(failure), .stopModel] : [.report(failure)]
      return actions + end(rules.ending(failure, text: dialogue?.text ?? ""))
    }
  }

  private mutating func end(_ ending: TurnEnding) -> [Action] {
    state = .ending(ending, pause: rules.pause)
    return [.end(ending)]
  }

  /// Until it is written, the session takes no message: it is tried again and again.
  private mutating func endFailed(_ reason: String, _ now: WallTime) -> [Action] {
    guard case .ending(let ending, let pause) = state else { return [] }
    state = .pausing(ending, pause: min(pause * 2, rules.longestPause), until: now + pause)
    return [.reportEndFailure(reason)]
  }

  private mutating func leave() -> [Action] {
    switch state {
    case .over: return []
    case .asking:
      state = .over
      return [.stopModel, .leave]
    case .loading, .opening, .waiting, .closing, .ending, .pausing:
      state = .over
      return [.leave]
    }
  }
}
