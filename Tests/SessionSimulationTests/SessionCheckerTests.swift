import Testing

@testable import SessionSimulation

/// The judge: each rule is broken by a short story, and named.
struct SessionCheckerTests {
  private typealias Call = Observation.Call

  private static let call = Call(turn: "t", id: "c", repetition: "")

  private func begun() -> [Observation] {
    [
      .leaseGiven(holder: "one", fence: 1, until: 10, at: 0), .clientStarted,
      .messageTaken(request: "r", text: "x"), .messageDurable(request: "r"), .messagePosted(request: "r", text: "x"),
      .turnBegun(turn: "t", request: "r", text: "x"), .turnClaimed(turn: "t", backend: 0, fence: 1),
    ]
  }

  private func asked(_ approval: Bool = false) -> [Observation] {
    let body = #"{"call_id":"c","function_name":"plain","timeout_seconds":10,"requires_approval":\#(approval)}"#
    return begun() + [
      .appended(sequence: 1, fence: 1, turn: "t", type: "tool_call_request", body: body),
      .eventArrived(id: "1", connection: 1), .eventApplied(id: "1", turn: "t", type: "tool_call_request"),
    ]
  }

  private func ended(_ text: String) -> [Observation] {
    [
      .appended(sequence: 1, fence: 1, turn: "t", type: "turn_complete", body: "{\"full_text\":\"\(text)\"}"),
      .eventArrived(id: "1", connection: 1), .eventApplied(id: "1", turn: "t", type: "turn_complete"),
    ]
  }

  private func judge(_ story: [Observation], each seconds: UInt64 = 0) -> String {
    var checker = SessionChecker()
    for (index, observation) in story.enumerated() {
      checker.take(observation, at: UInt64(index) * seconds * 1_000_000_000)
    }
    return checker.violations.joined(separator: "\n")
  }

  @Test func aSoundStoryIsSound() {
    let story =
      begun() + ended("x") + [
        .textShown(turn: "t", piece: "x"),
        .turnFinished(request: "r", turn: "t", status: "complete", text: "x", reason: nil),
        .turnEnded(turn: "t", status: "complete"),
      ]
    #expect(judge(story) == "")
  }

  @Test func eventsAreAPrefix() {
    let skipped: [Observation] = [
      .appended(sequence: 2, fence: 1, turn: "t", type: "x", body: ""),
      .appended(sequence: 3, fence: 1, turn: "t", type: "x", body: ""),
      .eventArrived(id: "3", connection: 1), .eventApplied(id: "3", turn: "t", type: "x"),
    ]
    #expect(judge(asked() + skipped).contains("invariant 1: event 2 is left out"))
    let repeated: [Observation] = [
      .eventArrived(id: "1", connection: 1), .eventApplied(id: "1", turn: "t", type: "tool_call_request"),
    ]
    #expect(judge(asked() + repeated).contains("invariant 1: event 1 is applied behind 1"))
  }

  @Test func aCursorNeverRunsAhead() {
    #expect(judge(asked() + [.cursorDurable("2")]).contains("invariant 2: cursor 2 is kept"))
    let restored: [Observation] = [.clientStarted, .clientRestored(cursor: "1", turn: "t", text: "y")]
    #expect(judge(asked() + restored).contains("invariant 2: the disk has the text 'y' at 1"))
    let withoutCall: [Observation] = [.clientStarted, .clientRestored(cursor: "1", turn: "t", text: "", calls: ["b"])]
    #expect(judge(asked() + withoutCall).contains("invariant 2: the disk has cursor 1, and nothing of c before it"))
  }

  /// Ids tell no order: a cursor is the id of what came last, though it had been lost.
  @Test func whatWasLostMayComeLast() {
    func event(_ number: Int64) -> [Observation] {
      [.eventArrived(id: "\(number)", connection: 1), .eventApplied(id: "\(number)", turn: "t", type: "x")]
    }
    let log = (1...3).map { Observation.appended(sequence: $0, fence: 1, turn: "t", type: "x", body: "") }
    let story = begun() + log + [.eventLost(id: "1")] + event(2) + [.cursorDurable("2")] + event(1)
    let restored: [Observation] = [.clientStarted, .clientRestored(cursor: "1", turn: nil, text: "")]
    #expect(judge(story + restored + event(3)) == "")
    #expect(judge(story + [.clientStarted, .clientRestored(cursor: nil, turn: nil, text: "")]).contains("2 was kept"))
    // Its record may be on the disk, and the end come before it is shown.
    let unshown = begun() + log + [.eventLost(id: "1")] + event(2) + [.eventArrived(id: "1", connection: 1)]
    #expect(judge(unshown + restored + event(3)) == "")
    // One that came in its order at last, and is repeated: the client knows it, and keeps nothing.
    let inOrder = begun() + log + [.eventLost(id: "1")] + event(1) + event(2) + [.eventArrived(id: "1", connection: 1)]
    #expect(judge(inOrder + restored + event(2)) == "")
  }

  @Test func oneConnectionAtATime() {
    #expect(judge([.streamOpened(connection: 1), .streamOpened(connection: 2)]).contains("invariant 11"))
    let stale: [Observation] = [.eventApplied(id: "1", turn: "t", type: "tool_call_request")]
    #expect(judge(asked() + stale).contains("invariant 11: event 1 takes effect"))
  }

  @Test func attemptsKeepTheirDistance() {
    let attempts: [Observation] = [
      .streamAttempted(cursor: nil, connection: 1), .streamAttempted(cursor: nil, connection: 2),
    ]
    #expect(judge(attempts).contains("invariant 13"))
    #expect(judge(attempts, each: 1) == "")
  }

  @Test func textConverges() {
    let wrong: [Observation] = [
      .textShown(turn: "t", piece: "y"),
      .turnFinished(request: "r", turn: "t", status: "complete", text: "y", reason: nil),
    ]
    #expect(judge(begun() + ended("x") + wrong).contains("invariant 5: r ends with 'y'"))
  }

  /// A message that was left is sent again under its id, and its turn fails before it says more.
  @Test func anAttemptWithoutTextLeavesWhatAnEarlierOneShowed() {
    func finished(_ status: String, _ text: String, _ reason: String?) -> Observation {
      .turnFinished(request: "r", turn: "t", status: status, text: text, reason: reason)
    }
    let left: [Observation] = [.textShown(turn: "t", piece: "y"), finished("cancelled", "y", nil)]
    let failed: [Observation] = [.messageTaken(request: "r", text: "x"), finished("failed", "", "interrupted")]
    #expect(judge(begun() + left + failed) == "")
    #expect(judge(begun() + left.prefix(1) + failed.suffix(1)).contains("invariant 5: 'y' is shown of r"))
    let more: [Observation] = [failed[0], .textReplaced(turn: "t", text: "yz"), failed[1]]
    #expect(judge(begun() + left + more).contains("invariant 5: 'yz' is shown of r"))
  }

  @Test func aToolStartsOnceAndOnTheRecord() {
    let start = Observation.toolStarted(Self.call, tool: "plain", arguments: "")
    #expect(judge(asked() + [start]).contains("invariant 7"))
    let durable = asked() + [.startDurable(Self.call), start]
    #expect(judge(durable) == "")
    #expect(judge(durable + [start]).contains("invariant 6"))
  }

  @Test func aResultIsOne() {
    let first = Observation.resultPosted(Self.call, key: "c", body: "1")
    #expect(judge(asked() + [first]).contains("invariant 8: the result of c is sent before"))
    let second = Observation.resultPosted(Self.call, key: "c", body: "2")
    #expect(judge(asked() + [.resultDurable(Self.call), first, second]).contains("was 'c 1', and is 'c 2'"))
    let lost: [Observation] = [.resultDurable(Self.call), first, .resultSettled(Self.call, outcome: "abandoned")]
    #expect(judge(asked() + lost).contains("invariant 8: the result of c of t is given up, which is waited for"))
    #expect(judge(asked() + [.callExpired(turn: "t", call: "c")] + lost) == "")
    let other = Call(turn: "t", id: "d", repetition: "")
    let sameKey: [Observation] = [
      .resultDurable(Self.call), first, .resultDurable(other), .resultPosted(other, key: "c", body: "1"),
    ]
    #expect(judge(asked() + sameKey).contains("invariant 8: the results of two calls are sent under the key c"))
    let taken = Observation.resultTaken(turn: "t", call: "c", key: "c", outcome: "1", verdict: "accepted")
    #expect(judge(asked() + [taken]) == "")
    #expect(judge(asked() + [taken, taken]).contains("invariant 8: a second result of c of t is taken"))
  }

  @Test func approvalIsNeededInTime() {
    let start: [Observation] = [
      .startDurable(Self.call), .toolStarted(Self.call, tool: "plain", arguments: ""),
    ]
    #expect(judge(asked(true) + start).contains("invariant 9: c of t starts without approval"))
    let approval: [Observation] = [
      .asked(batch: 1, turn: "t", calls: ["c"]),
      .decided(batch: 1, turn: "t", calls: ["c"], approves: true, isForSession: false),
    ]
    #expect(judge(asked(true) + approval + start) == "")
    let denial: [Observation] = [
      .asked(batch: 1, turn: "t", calls: ["c"]),
      .decided(batch: 1, turn: "t", calls: ["c"], approves: false, isForSession: false),
    ]
    #expect(judge(asked(true) + denial + approval + start).contains("invariant 9: c of t starts, and was denied"))
    #expect(
      judge(asked(true) + approval + start, each: 10).contains("invariant 9: c of t starts when its time is over"))
  }

  @Test func aResultIsThereInTime() {
    let start: [Observation] = [
      .startDurable(Self.call), .toolStarted(Self.call, tool: "plain", arguments: ""), .gap, .gap, .gap,
    ]
    #expect(judge(asked() + start, each: 4).contains("invariant 10"))
  }

  @Test func aBatchHasAWindow() {
    let batches: [Observation] = [
      .batchShown(id: 1, turn: "t", calls: ["a"]), .batchShown(id: 1, turn: "t", calls: ["a", "b"]),
    ]
    #expect(judge(batches) == "")
    #expect(judge(batches, each: 1).contains("invariant 16: b joins batch 1"))
    let twice: [Observation] = [
      .batchShown(id: 1, turn: "t", calls: ["a"]), .batchShown(id: 2, turn: "t", calls: ["a"]),
    ]
    #expect(judge(twice).contains("invariant 16: a is in batches 1 and 2"))
  }

  @Test func turnsEndByAnEvent() {
    let failed = Observation.turnFinished(request: "r", turn: "t", status: "failed", text: "", reason: nil)
    #expect(judge(begun() + [failed]).contains("invariant 12: r failed without a reason"))
    let again = Observation.turnBegun(turn: "u", request: "r", text: "x")
    #expect(judge(begun() + [again]).contains("invariant 12: r began t and u"))
    let alone = Observation.turnFinished(request: "r", turn: "t", status: "failed", text: "", reason: "gone")
    #expect(judge(begun() + [alone, .gap], each: 1).contains("invariant 12: r failed, and nobody had said so"))
    #expect(judge(begun() + [.gap, alone, .gap], each: 700) == "")
    #expect(judge(begun() + [alone, .connection("failed")]) == "")
  }

  @Test func aLedgerHasOneOwner() {
    let second = Observation.leaseGiven(holder: "two", fence: 2, until: 20, at: 5)
    #expect(judge([.leaseGiven(holder: "one", fence: 1, until: 10, at: 0), second]).contains("two owners"))
    let gap = Observation.appended(sequence: 2, fence: 1, turn: "t", type: "x", body: "")
    #expect(judge(begun() + [gap]).contains("event 2 follows 0"))
    let fenced = Observation.appended(sequence: 1, fence: 0, turn: "t", type: "x", body: "")
    #expect(judge(begun() + [fenced]).contains("under fence 0"))
    let model = Observation.modelAsked(turn: "t", backend: 1)
    #expect(judge(begun() + [model]).contains("backend 1 asks the model"))
    #expect(judge(begun() + [.backendPaused(1, for: 20), model]).contains("backend 1 asks the model"))
    #expect(judge(begun() + [.modelAsked(turn: "t", backend: 0)]) == "")
  }

  @Test func theModelIsToldWhatTheClientGave() {
    func told(_ results: (id: String, content: String)...) -> Observation {
      .modelAsked(
        turn: "t", backend: 0, results: results.map { Observation.ToldResult(id: $0.id, content: $0.content) })
    }
    let given = Observation.resultTaken(turn: "t", call: "c", key: "c", outcome: "1", verdict: "accepted")
    let right = told(("c", "1"))
    #expect(judge(asked() + [given, right]) == "")
    #expect(judge(asked() + [.callExpired(turn: "t", call: "c"), right]) == "")
    #expect(judge(asked() + [right]).contains("of c, which gave nothing yet"))
    #expect(judge(asked() + [given, told(("c", "2"))]).contains("is told '2' of c, which gave '1'"))
    #expect(judge(asked() + [given, told()]).contains("goes on without the result of c"))
    #expect(judge(asked() + [given, told(("c", "1"), ("c", "1"))]).contains("is told twice of a call"))
    #expect(judge(asked() + [given, told(("b", ""), ("c", "1")), right]).contains("was told of"))
    let refused = Observation.resultTaken(turn: "t", call: "c", key: "d", outcome: "1", verdict: "notPending")
    #expect(judge(asked() + [refused]).contains("a result of c of t is refused, which is waited for"))
    #expect(judge(asked() + [given, refused]) == "")
  }

  @Test func whatNeverComesToRestFails() {
    var checker = SessionChecker()
    checker.end(unrest: "a turn runs")
    #expect(checker.violations == ["ledger: the world never comes to rest: a turn runs"])
  }
}
