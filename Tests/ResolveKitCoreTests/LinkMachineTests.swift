import Testing

@testable import ResolveKitCore

struct LinkMachineTests {
  private let failure = RequestFailure(status: 503, message: "busy")

  /// A link whose stream (generation 1) is open.
  private func open(isReused: Bool = false) -> LinkMachine {
    var link = LinkMachine(policy: TurnPolicy())
    var effects = TurnEffects()
    _ = link.start(&effects)
    link.registrationEnded(&effects)
    link.use("s", isReused: isReused)
    link.openStream(&effects)
    _ = link.streamOpened(1, &effects)
    return link
  }

  private func actions(_ body: (inout TurnEffects) -> Void) -> [TurnAction] {
    var effects = TurnEffects()
    body(&effects)
    return effects.takeActions()
  }

  @Test func aLinkIsRegisteredGivenASessionAndOpened() {
    var link = LinkMachine(policy: TurnPolicy())
    #expect(
      actions { _ = link.start(&$0) } == [
        .setConnectionState(.registering, attempt: 0, reason: nil), .register,
      ])
    #expect(
      actions { link.registrationEnded(&$0) } == [
        .setConnectionState(.connecting, attempt: 0, reason: nil), .createSession,
      ])
    var effects = TurnEffects()
    let arrival = link.arrival(of: "s", &effects)
    #expect(arrival == .other)
    link.use("s", isReused: false)
    #expect(actions { link.openStream(&$0) } == [.openStream(generation: 1, cursor: nil)])
    #expect(!link.isOpen)
    var opening: LinkMachine.Opening?
    #expect(
      actions { opening = link.streamOpened(1, &$0) } == [.setConnectionState(.active, attempt: 0, reason: nil)])
    #expect(opening == .complete && link.isOpen)
  }

  @Test func aStartOfARunningLinkIsIgnored() {
    var link = open()
    var effects = TurnEffects()
    let hasStarted = link.start(&effects)
    #expect(!hasStarted && link.isOpen)
  }

  @Test func anOlderStreamHasNoEffect() {
    var link = open()
    var effects = TurnEffects()
    link.openStream(&effects)
    effects.begin()
    let opening = link.streamOpened(1, &effects)
    let refusal = link.streamRefused(1, failure, &effects)
    link.streamEnded(1, isRoutine: false, reason: "x", &effects)
    link.streamConnecting(1, attempt: 2, &effects)
    #expect(opening == nil && refusal == .none && link.state == .opening)
    #expect(effects.takeActions() == Array(repeating: .note(.staleStream(generation: 1)), count: 4))
  }

  @Test func aRoutineEndIsNotShownAndALossIs() {
    var link = open()
    #expect(actions { link.streamEnded(1, isRoutine: true, reason: nil, &$0) }.isEmpty)
    #expect(link.state == .resuming && link.isOpen)
    #expect(actions { _ = link.streamOpened(1, &$0) }.isEmpty)
    #expect(
      actions { link.streamEnded(1, isRoutine: false, reason: "reset", &$0) } == [
        .setConnectionState(.reconnecting, attempt: 0, reason: "reset")
      ])
    #expect(link.state == .broken(reason: "reset"))
    #expect(actions { link.retryStreamNow(&$0) } == [.retryStreamNow])
  }

  @Test func aRefusalThatPassesIsRetriedAndTheFirstOtherOneRenewsTheSession() {
    var link = open()
    #expect(
      actions { _ = link.streamRefused(1, failure, &$0) } == [
        .setConnectionState(.reconnecting, attempt: 1, reason: failure.description),
        .retryAfterBackoff(.openStream, attempt: 1),
      ])
    #expect(actions { link.retryDue(.openStream, &$0) } == [.openStream(generation: 2, cursor: nil)])
    var effects = TurnEffects()
    let gone = RequestFailure(status: 410, message: "gone")
    let first = link.streamRefused(2, gone, &effects)
    #expect(first == .renewal)
    link.renewSession(gone, &effects)
    let arrival = link.arrival(of: "s", &effects)
    #expect(arrival == .same)
    link.renew(isReused: true, &effects)
    let second = link.streamRefused(3, gone, &effects)
    #expect(second == .end(isBlocked: false), "a new token did not help, and there is no cursor to blame")
  }

  @Test func aRefusedCursorIsDroppedAndTheGapIsKnown() {
    var link = open()
    var effects = TurnEffects()
    link.advance(to: "7", &effects)
    #expect(link.cursor == "7")
    #expect(effects.record == [.applied(eventID: "7")])
    effects.begin()
    let refusal = link.streamRefused(1, RequestFailure(status: 422, message: "cursor"), &effects)
    #expect(refusal == .none && link.cursor == nil)
    #expect(effects.record == [.cursorDropped] && effects.statistics.gaps == 1)
    #expect(effects.takeActions().last == .openStream(generation: 2, cursor: nil))
    let opening = link.streamOpened(2, &effects)
    #expect(opening == .withGap)
  }

  @Test func eachEventIsTakenOnce() {
    var link = open()
    var effects = TurnEffects()
    let event = StreamEvent(generation: 1, id: "1", type: "odd", data: #"{"type":"odd"}"#, arrivedAt: 1)
    let first = link.take(event, &effects)
    link.advance(to: first?.id, &effects)
    let second = link.take(event, &effects)
    #expect(first?.id == "1" && second == nil)
    #expect(effects.statistics.duplicatesDropped == 1)
  }

  @Test func anEndIsShownAfterWhatEndsWithIt() {
    var link = open()
    #expect(actions { link.end(.blocked, &$0) } == [.closeStream])
    #expect(link.shown == .active && link.state.isOver)
    #expect(
      actions { link.showEnd(reason: "key", &$0) } == [.setConnectionState(.blocked, attempt: 0, reason: "key")])
  }
}
