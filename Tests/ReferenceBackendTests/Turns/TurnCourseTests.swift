import EventLedger
import ReferenceBackend
import ResolveKitCore
import Testing

/// The course of a turn as scripts: what happens, and what is to be done.
struct TurnCourseTests {
  private static let call = ModelToolCall(id: "a", name: "tool", arguments: ["of": 1])

  @Test func anAnswerIsSaidPieceByPieceAndEndsWhole() {
    var world = TurnWorld()
    world.expect(.loaded(world.material()), [.ask(world.conversation(), part: 0)])
    world.expect(.modelSaid("Hel", part: 0), [world.delta("Hel")])
    world.expect(.modelSaid("lo", part: 0), [world.delta("lo")])
    world.expect(.modelUsed(ModelUsage(promptTokens: 3, completionTokens: 2), part: 0), [])
    let end = TurnEnding.complete("Hello", ModelUsage(promptTokens: 3, completionTokens: 2), asksForFeedback: false)
    world.expect(.modelEnded(part: 0), [.end(end)])
    world.expect(.ended, [])
    #expect(world.machine.isOver)
  }

  @Test func textThatIsNotStreamedIsSaidAtTheEnd() {
    var world = TurnWorld(TurnRules(streamsText: false, asksForFeedback: true))
    world.expect(.loaded(world.material()), [.ask(world.conversation(), part: 0)])
    world.expect(.modelSaid("Hello", part: 0), [])
    world.expect(.modelEnded(part: 0), [.end(.complete("Hello", nil, asksForFeedback: true))])
  }

  @Test func callsAreKeptBeforeTheyAreAskedForAndTakenInOrder() {
    var world = TurnWorld()
    let other = ModelToolCall(id: "b", name: "tool", arguments: ["of": 2])
    let unknown = ModelToolCall(id: "c", name: "none", arguments: [:])
    world.begin(asking: [Self.call, unknown, other], text: "Let me see.")
    // The second call's time begins when the first one's result is taken.
    world.now += 7
    world.expect(.callOpened(due: world.time(30), outcome: nil), [])
    #expect(world.machine.deadline == world.time(30) && !world.machine.isHeld)
    world.expect(.signalled, [.look(call: "a")])
    world.expect(.looked(interruption: nil, outcome: .success("1")), [.openCall("b", due: world.time(30))])
    #expect(world.machine.deadline == nil)
    var conversation = world.conversation()
    conversation.messages += [
      .assistant(text: "Let me see.", toolCalls: [Self.call, unknown, other]),
      .toolResult(callID: "a", name: "tool", content: "1"),
      .toolResult(callID: "c", name: "none", content: #"{"error":"There is no function named 'none'."}"#),
      .toolResult(callID: "b", name: "tool", content: #"{"error":"no"}"#),
    ]
    world.expect(.callOpened(due: world.time(30), outcome: .failure("no")), [.ask(conversation, part: 1)])
    // A model begins each part again.
    world.expect(.modelSaid("It is 1.", part: 1), [world.delta("\n\nIt is 1.")])
    world.expect(
      .modelEnded(part: 1), [.end(.complete("Let me see.\n\nIt is 1.", nil, asksForFeedback: false))])
  }

  @Test func aCallsTimeIsOverWhenItIsAndNotBefore() {
    var world = TurnWorld()
    world.begin(asking: [Self.call], text: "")
    // A clock that was set meanwhile makes no call's time longer.
    world.expect(.callOpened(due: world.time(500), outcome: nil), [])
    #expect(world.machine.deadline == world.time(30))
    world.expect(.timePassed(world.time(29)), [])
    world.expect(.timePassed(world.time(30)), [.closeCall("a")])
    // The database says what the call came to: a result may have come in the last moment.
    var conversation = world.conversation()
    conversation.messages += [
      .assistant(text: "", toolCalls: [Self.call]),
      .toolResult(
        callID: "a", name: "tool", content: #"{"error":"Function 'tool' timed out after 30s"}"#),
    ]
    var late = world
    world.expect(.callClosed(.timedOut), [.ask(conversation, part: 1)])
    conversation.messages[conversation.messages.count - 1] = .toolResult(callID: "a", name: "tool", content: "1")
    late.expect(.callClosed(.success("1")), [.ask(conversation, part: 1)])
  }

  @Test func aTurnIsHeldWhileAPersonDecides() {
    var world = TurnWorld(requiresApproval: true)
    world.begin(asking: [Self.call], text: "")
    #expect(!world.machine.isHeld)
    world.expect(.callOpened(due: world.time(30), outcome: nil), [])
    #expect(world.machine.isHeld)
    world.expect(.timePassed(world.time(30)), [.closeCall("a")])
    #expect(!world.machine.isHeld)
  }

  @Test func anotherProcessContinuesWithTheRounds() {
    var world = TurnWorld()
    let usage = ModelUsage(promptTokens: 1, completionTokens: 2)
    let rounds = [
      ModelRound(number: 0, text: "One.", calls: [Self.call], timeouts: ["a": 30], usage: usage),
      ModelRound(
        number: 1, text: " Two.", calls: [ModelToolCall(id: "b", name: "tool", arguments: [:])], timeouts: ["b": 30],
        usage: usage),
    ]
    world.expect(.loaded(world.material(rounds: rounds)), [.openCall("a", due: world.time(30))])
    world.expect(.callOpened(due: world.time(30), outcome: .success("1")), [.openCall("b", due: world.time(30))])
    world.expect(.callOpened(due: world.time(12), outcome: nil), [])
    #expect(world.machine.deadline == world.time(12))
    var conversation = world.conversation()
    conversation.messages += [
      .assistant(text: "One.", toolCalls: rounds[0].calls), .toolResult(callID: "a", name: "tool", content: "1"),
      .assistant(text: " Two.", toolCalls: rounds[1].calls), .toolResult(callID: "b", name: "tool", content: "2"),
    ]
    world.expect(.looked(interruption: nil, outcome: .success("2")), [.ask(conversation, part: 0)])
    world.expect(.modelSaid("Three.", part: 0), [world.delta("\n\nThree.")])
    // A call's id is used once in a turn, whatever the model says.
    let round = ModelRound(
      number: 2, text: "\n\nThree.", calls: [ModelToolCall(id: "call_3", name: "none", arguments: [:])], timeouts: [:],
      usage: nil)
    world.expect(.modelCalled([ModelToolCall(id: "b", name: "none", arguments: [:])], part: 0), [])
    conversation.messages += [
      .assistant(text: round.text, toolCalls: round.calls),
      .toolResult(callID: "call_3", name: "none", content: #"{"error":"There is no function named 'none'."}"#),
    ]
    world.expect(.modelEnded(part: 0), [.keep(round), .ask(conversation, part: 1)])
    world.expect(
      .modelEnded(part: 1),
      [.end(.complete("One. Two.\n\nThree.", usage + usage, asksForFeedback: false))])
  }

  /// A moment of a turn, and what is done where it is to end before its time.
  enum Moment: CaseIterable, Sendable {
    case loading, asking, opening, waiting, closing, ending, pausing, over

    func reach() -> TurnWorld {
      var world = TurnWorld()
      if self == .loading { return world }
      world.tell(.loaded(world.material()))
      world.tell(.modelSaid("So ", part: 0))
      if self == .asking { return world }
      if [.ending, .pausing, .over].contains(self) {
        world.tell(.modelEnded(part: 0))
        if self == .pausing { world.tell(.endFailed("disk")) }
        if self == .over { world.tell(.ended) }
        return world
      }
      world.tell(.modelCalled([TurnCourseTests.call], part: 0))
      world.tell(.modelEnded(part: 0))
      if self == .opening { return world }
      world.tell(.callOpened(due: world.time(30), outcome: nil))
      if self == .closing { world.tell(.timePassed(world.time(30))) }
      return world
    }
  }

  @Test(arguments: Moment.allCases)
  func anInterruptionEndsATurnAtAnyMomentAndOnce(_ moment: Moment) {
    for interruption in [TurnInterruption.user, .escalation(reason: "Ana helps.")] {
      var world = moment.reach()
      let said = moment == .loading ? "" : "So "
      let end: [TurnCourse.Action] = [.end(.interrupted(by: interruption, text: said))]
      switch moment {
      case .asking: world.expect(.looked(interruption: interruption, outcome: nil), [.stopModel] + end)
      case .loading, .opening, .waiting, .closing: world.expect(.looked(interruption: interruption, outcome: nil), end)
      case .ending, .pausing, .over: world.expect(.looked(interruption: interruption, outcome: nil), [])
      }
      world.expect(.looked(interruption: interruption, outcome: nil), [])
      world.expect(.modelSaid("more", part: 0), [])
      #expect(!world.machine.isAsking(part: 0))
    }
  }

  @Test(arguments: Moment.allCases)
  func whoLosesTheTurnOrStopsLeavesItWithoutAWord(_ moment: Moment) {
    for event in [TurnCourse.Event.leaseLost, .stopped] {
      var world = moment.reach()
      switch moment {
      case .asking: world.expect(event, [.stopModel, .leave])
      case .loading, .opening, .waiting, .closing, .ending, .pausing: world.expect(event, [.leave])
      case .over: world.expect(event, [])
      }
      #expect(world.machine.isOver && world.machine.deadline == nil)
      for late in [
        TurnCourse.Event.modelSaid("more", part: 0), .modelEnded(part: 0),
        .callOpened(due: world.time(1), outcome: nil),
        .callClosed(.timedOut), .looked(interruption: .user, outcome: .success("1")), .timePassed(world.time(30)),
        .ended, .endFailed("disk"), .failed("disk"), .loaded(world.material()), .signalled,
      ] { world.expect(late, []) }
    }
  }

  @Test(arguments: Moment.allCases)
  func aFailureIsReportedOnce(_ moment: Moment) {
    var world = moment.reach()
    let actions: [TurnCourse.Action] = [.end(.failed(code: "transport_error", message: "Turn processing failed"))]
    switch moment {
    case .asking: world.expect(.failed("disk"), [.report(.other("disk")), .stopModel] + actions)
    case .loading, .opening, .waiting, .closing: world.expect(.failed("disk"), [.report(.other("disk"))] + actions)
    case .ending, .pausing, .over: world.expect(.failed("disk"), [])
    }
    world.expect(.failed("disk"), [])
  }

  @Test func theEndIsWrittenAgainAndAgain() {
    var world = Moment.ending.reach()
    let end = TurnEnding.complete("So ", nil, asksForFeedback: false)
    for pause: Int64 in [1, 2, 4, 8, 16, 32, 60, 60] {
      world.expect(.endFailed("disk"), [.reportEndFailure("disk")])
      #expect(world.machine.deadline == world.time(pause))
      world.now += pause
      world.expect(.timePassed(WallTime(microseconds: world.now * 1_000_000)), [.end(end)])
    }
    world.expect(.ended, [])
    #expect(world.machine.isOver)
  }

  @Test func limitsEndATurnWithTheirWords() {
    var long = TurnWorld(TurnRules(limits: TurnLimits(answerBytes: 4)))
    long.tell(.loaded(long.material()))
    long.expect(.modelSaid("1234", part: 0), [long.delta("1234")])
    let message = "The answer is longer than 4 bytes. Please ask for less."
    long.expect(
      .modelSaid("5", part: 0),
      [
        .report(.answerTooLong(limit: 4)), .stopModel,
        .end(.failed(code: "answer_too_long", message: message)),
      ])

    var endless = TurnWorld(TurnRules(limits: TurnLimits(toolRounds: 1), offersEscalation: true))
    endless.begin(asking: [Self.call], text: "")
    endless.expect(
      .callOpened(due: endless.time(30), outcome: .success("1")),
      [
        .report(.tooManyToolRounds),
        .end(.escalated(reason: "Maximum tool calling rounds exceeded", text: "")),
      ])

    var greedy = TurnWorld(TurnRules(limits: TurnLimits(resultBytes: 3)))
    greedy.begin(asking: [Self.call], text: "")
    let actions = greedy.tell(.callOpened(due: greedy.time(30), outcome: .success("1234")))
    guard case .ask(let conversation, _) = actions.first,
      case .toolResult(_, _, let content) = conversation.messages.last
    else {
      Issue.record("\(actions)")
      return
    }
    #expect(content.contains("4 bytes and was left out"))
  }

  @Test func aModelMayHandOverToAPerson() {
    var world = TurnWorld(TurnRules(offersEscalation: true))
    world.tell(.loaded(world.material()))
    world.tell(.modelSaid("One moment.", part: 0))
    world.tell(
      .modelCalled([ModelToolCall(id: "e", name: "escalate_to_human", arguments: ["reason": "Ask Ana."])], part: 0))
    world.expect(.modelEnded(part: 0), [.end(.escalated(reason: "Ask Ana.", text: "One moment."))])
  }
}
