import ResolveKitCore
import TestSupport
import Testing

@testable import CodexWorkersClient

/// The rules of a watch, as scripts in virtual time.
struct WorkerWatchTests {
  private let unavailable = WorkersError(status: 503, body: [], requestID: nil)

  @Test func itOpensAtTheCursorAndLooksAtTheSnapshot() {
    var script = WatchScript(after: 7)
    #expect(script.tell(.begun) == [.tell(.link(.connecting)), .open(after: 7), .fetchSnapshot])
    #expect(script.tell(.opened(transport: "h3")) == [.tell(.link(.live(transport: "h3")))])
  }

  @Test func eventsAreAppliedBySequenceAndDuplicatesAreDropped() {
    var script = WatchScript()
    _ = script.begin()
    #expect(script.tell(.event(WatchScript.event(1))) == [.tell(.event(WatchScript.event(1)))])
    #expect(script.tell(.event(WatchScript.event(1))) == [])
    #expect(script.tell(.event(WatchScript.event(2))) == [.tell(.event(WatchScript.event(2)))])
    #expect(script.watch.applied == 2)
  }

  @Test func aCleanEndIsRoutineAndIsResumedAtOnce() {
    var script = WatchScript()
    _ = script.begin()
    _ = script.tell(.event(WatchScript.event(1)))
    #expect(script.tell(.ended(nil, ordered: .zero)) == [.tell(.link(.connecting)), .open(after: 1)])
    script.now += .seconds(20)
    #expect(script.tell(.ended(nil, ordered: .zero)) == [.tell(.link(.connecting)), .open(after: 1)])
  }

  @Test func aServerThatEndsEachPollAtOnceIsNotAskedWithoutAPause() {
    var script = WatchScript()
    _ = script.begin()
    let actions = script.tell(.ended(nil, ordered: .zero))
    guard case .tell(.link(.waiting(let wait, because: nil)))? = actions.first else {
      Issue.record("no wait: \(actions)")
      return
    }
    #expect(wait >= .milliseconds(250))
    #expect(script.pass() == [.tell(.link(.connecting)), .open(after: 0)])
  }

  @Test func aLostStreamWaitsLongerEachTimeUntilAnEventComes() {
    var script = WatchScript()
    _ = script.begin()
    var waits: [Duration] = []
    for _ in 0..<3 {
      for case .tell(.link(.waiting(let wait, _))) in script.tell(.ended(unavailable, ordered: .zero)) {
        waits.append(wait)
      }
      _ = script.pass()
    }
    #expect(waits.count == 3)
    #expect(zip(waits, [250, 500, 1_000]).allSatisfy { $0 >= .milliseconds($1) && $0 <= .milliseconds($1 * 3 / 2) })
    _ = script.tell(.event(WatchScript.event(1)))
    for case .tell(.link(.waiting(let wait, _))) in script.tell(.ended(unavailable, ordered: .zero)) {
      #expect(wait <= .milliseconds(375))
    }
  }

  @Test func aGapIsAskedForAgainAndBelievedWhenItComesTwice() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.tell(.event(WatchScript.event(6))).first == .leave)
    #expect(script.pass().contains(.open(after: 3)))
    #expect(
      script.tell(.event(WatchScript.event(6)))
        == [.tell(.lost(4...5)), .tell(.event(WatchScript.event(6)))])
    #expect(script.watch.applied == 6)
  }

  @Test func aGapThatWasATornFrameLosesNothing() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    _ = script.tell(.event(WatchScript.event(5)))
    _ = script.pass()
    #expect(script.tell(.event(WatchScript.event(4))) == [.tell(.event(WatchScript.event(4)))])
    #expect(script.tell(.event(WatchScript.event(5))) == [.tell(.event(WatchScript.event(5)))])
  }

  @Test(arguments: [
    WorkersError(status: 410, body: Array(#"{"error":{"code":"stale_cursor","message":"old"}}"#.utf8), requestID: nil),
    WorkersError(
      errorEvent: #"{"error":{"code":"runtime_codex_stream_failed","message":"stream returned HTTP 410"}}"#,
      requestID: nil),
  ])
  func aStaleCursorRecoversThroughTheSnapshotAndSaysWhatIsLost(_ error: WorkersError) {
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.tell(error.status == 410 ? .ended(error, ordered: .zero) : .failed(error)).last == .fetchSnapshot)
    let snapshot = WatchScript.snapshot(9)
    #expect(
      script.tell(.snapshot(snapshot)) == [
        .tell(.snapshot(snapshot)), .tell(.lost(4...9)), .tell(.link(.connecting)), .open(after: 9),
      ])
  }

  @Test func theDisguiseIsRecognised() {
    let error = WorkersError(
      errorEvent:
        #"{"error":{"code":"runtime_codex_stream_failed","message":"runtime codex stream returned HTTP 410"}}"#,
      requestID: nil)
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.tell(.failed(error)) == [.leave, .fetchSnapshot])
  }

  @Test func aServerThatSaysWhereTheLogBeginsLosesLess() {
    let error = WorkersError(
      status: 410, body: Array(#"{"error":{"code":"stale_cursor","message":"old","resume_after":6}}"#.utf8),
      requestID: nil)
    var script = WatchScript(after: 3)
    _ = script.begin()
    _ = script.tell(.ended(error, ordered: .zero))
    #expect(script.tell(.snapshot(WatchScript.snapshot(9))).contains(.tell(.lost(4...6))))
    #expect(script.watch.applied == 6)
  }

  @Test func anExpiredSignInStopsUntilThereIsAnother() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    let error = WorkersError(status: 401, body: [], requestID: nil)
    #expect(
      script.tell(.ended(error, ordered: .zero)) == [.leave, .tell(.link(.signInNeeded(error))), .signIn])
    #expect(script.watch.deadline == nil)
    #expect(script.tell(.signedIn) == [.tell(.link(.connecting)), .open(after: 3), .fetchSnapshot])
  }

  @Test(arguments: [403, 404, 422])
  func whatTryingAgainCannotChangeEndsTheWatch(_ status: Int) {
    var script = WatchScript()
    _ = script.begin()
    let error = WorkersError(status: status, body: [], requestID: nil)
    #expect(script.tell(.ended(error, ordered: .zero)) == [.leave, .finish(error)])
    #expect(script.tell(.event(WatchScript.event(1))) == [])
  }

  @Test func retryAfterIsHonoured() {
    var script = WatchScript()
    _ = script.begin()
    let error = WorkersError(status: 429, body: [], requestID: nil)
    #expect(
      script.tell(.ended(error, ordered: .seconds(17)))
        == [.tell(.link(.waiting(.seconds(17), because: error)))])
    #expect(script.watch.deadline == .seconds(17))
  }

  @Test func aStreamThatLooksAliveAndBringsNothingIsOpenedAgain() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.pass() == [.fetchSnapshot])
    #expect(script.tell(.snapshot(WatchScript.snapshot(5))).count == 1)
    #expect(script.pass() == [.fetchSnapshot])
    #expect(script.tell(.snapshot(WatchScript.snapshot(5))).contains(.leave))
    #expect(script.pass().contains(.open(after: 3)))
  }

  @Test func aLogThatWasBegunAgainIsReadFromItsPresentEnd() {
    var script = WatchScript(after: 30)
    _ = script.tell(.begun)
    let actions = script.tell(.snapshot(WatchScript.snapshot(2)))
    #expect(
      actions.dropFirst() == [
        .tell(.rewound(from: 30, to: 2)), .leave, .tell(.link(.connecting)), .open(after: 2),
      ])
  }

  @Test func aSnapshotFromBeforeTheNewestEventsRewindsNothing() {
    var script = WatchScript(after: 3)
    _ = script.tell(.begun)
    for number in 4...6 { _ = script.tell(.event(WatchScript.event(Int64(number)))) }
    #expect(script.tell(.snapshot(WatchScript.snapshot(4))) == [.tell(.snapshot(WatchScript.snapshot(4)))])
    #expect(script.watch.applied == 6)
  }

  @Test func anEventThatWasNotDealtWithComesAgain() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    _ = script.tell(.event(WatchScript.event(4)))
    #expect(script.tell(.notTaken(4)).first == .leave)
    // What the stream that was left has still brought.
    #expect(script.tell(.event(WatchScript.event(5))) == [])
    #expect(script.pass().contains(.open(after: 3)))
  }

  @Test func aSnapshotThatFailsHarmsNothing() {
    var script = WatchScript(after: 3)
    _ = script.tell(.begun)
    #expect(script.tell(.noSnapshot(unavailable)) == [])
    #expect(script.pass() == [.fetchSnapshot])
  }
}
