import Testing

@testable import ResolveKitCore
@testable import ResolveKitSession

struct DurabilityGateTests {
  private func post(_ id: String) -> TurnAction { .postMessage(OutgoingMessage(requestID: id, text: "x")) }

  private func start(_ callID: String) -> TurnAction {
    let request = ResolveKitToolCallRequest(callID: callID, functionName: "f", arguments: [:])
    return .startTool(
      ToolCall(
        key: ToolCallKey(turnID: "t", callID: callID), request: request, requiresApproval: false, arrivedAt: 1))
  }

  @Test func withoutAJournalNothingWaits() {
    var gate = DurabilityGate()
    let isAdmitted = gate.admits(post("a"))
    #expect(isAdmitted)
  }

  @Test func whatActsOnTheWorldWaitsForAllThatWasAppended() {
    var gate = DurabilityGate()
    gate.append(1)
    let admitted = [gate.admits(post("a")), gate.admits(.closeStream)]
    #expect(admitted == [false, true], "closing a stream needs no record")
    gate.append(2)
    let isSecondAdmitted = gate.admits(post("b"))
    #expect(!isSecondAdmitted)
    gate.reach(1)
    let ready = [gate.next(), gate.next()]
    #expect(ready == [post("a"), nil], "the second is built on the second record")
    gate.reach(2)
    let last = gate.next()
    #expect(last == post("b"))
    let isLaterAdmitted = gate.admits(post("c"))
    #expect(isLaterAdmitted, "all that was appended is on the disk")
  }

  @Test func aResultWaitsForTheRecordOfIt() {
    var gate = DurabilityGate()
    gate.append(1)
    let key = ToolCallKey(turnID: "t", callID: "a")
    let payload = ResolveKitToolResultPayload(.failure("no"), of: key, maximumBytes: 100)
    let isAdmitted = gate.admits(.deliverResult(key, payload))
    #expect(!isAdmitted)
    gate.reach(1)
    let ready = gate.next()
    #expect(ready == .deliverResult(key, payload))
  }

  @Test func startsThatAreAboutToHappenAreNamedAndCanBeWithdrawn() {
    var gate = DurabilityGate()
    gate.append(1)
    for action in [start("a"), post("b"), start("c")] { _ = gate.admits(action) }
    gate.append(2)
    _ = gate.admits(start("d"))
    #expect(gate.readyStarts.isEmpty)
    gate.reach(1)
    #expect(gate.readyStarts.map(\.callID) == ["a", "c"], "the last one's record is not on the disk")
    let isWithdrawn = gate.withdrawStart(of: ToolCallKey(turnID: "t", callID: "a"))
    let ready = [gate.next(), gate.next(), gate.next()]
    #expect(isWithdrawn && ready == [post("b"), start("c"), nil])
  }

  @Test func inAnotherJournalWhatWaitsWaitsForItsFirstRecord() {
    var gate = DurabilityGate()
    gate.append(7)
    gate.reach(6)
    _ = gate.admits(post("a"))
    gate.restart(at: 1)
    let early = gate.next()
    #expect(early == nil, "the earlier journal's progress says nothing of this one")
    gate.reach(1)
    let ready = gate.next()
    #expect(ready == post("a"))
  }

  @Test func progressNeverGoesBack() {
    var gate = DurabilityGate()
    gate.append(3)
    gate.reach(3)
    gate.reach(1)
    let isAdmitted = gate.admits(post("a"))
    #expect(isAdmitted)
  }

  @Test func aToolThatWaitsCanBeWithdrawnOnce() {
    var gate = DurabilityGate()
    gate.append(1)
    _ = gate.admits(start("a"))
    _ = gate.admits(start("b"))
    let key = ToolCallKey(turnID: "t", callID: "a")
    let withdrawn = [gate.withdrawStart(of: key), gate.withdrawStart(of: key)]
    #expect(withdrawn == [true, false])
    gate.reach(1)
    let ready = [gate.next(), gate.next()]
    #expect(ready == [start("b"), nil])
  }
}
