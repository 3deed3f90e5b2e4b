import ResolveKitCore
import TestSupport
import Testing

@testable import CodexWorkersClient

/// The rules of a watch, as scripts in virtual time.
struct WorkerWatchTests {
  private let unavailable = WorkersError(status: 503, body: [], requestID: nil)

  @Test func itOpensAtTheCursorAndLooksAtTheSnapshot() {
    var script = WatchScript(after: 7)
    #expect(script.report(.begun) == [.report(.link(.connecting)), .open(after: 7), .fetchSnapshot])
    #expect(script.report(.opened(transport: "h3")) == [.report(.link(.live(transport: "h3")))])
  }

  @Test func eventsAreAppliedBySequenceAndDuplicatesAreDropped() {
    var script = WatchScript()
    _ = script.begin()
    #expect(script.report(.event(WatchScript.event(1))) == [.report(.event(WatchScript.event(1)))])
    #expect(script.report(.event(WatchScript.event(1))) == [])
    #expect(script.report(.event(WatchScript.event(2))) == [.report(.event(WatchScript.event(2)))])
    #expect(script.watch.applied == 2)
  }

  @Test func aCleanEndIsRoutineAndIsResumedAtOnce() {
    var script = WatchScript()
    _ = script.begin()
    _ = script.report(.event(WatchScript.event(1)))
    #expect(script.report(.ended(nil, ordered: .zero)) == [.report(.link(.connecting)), .open(after: 1)])
    script.now += .seconds(20)
    #expect(script.report(.ended(nil, ordered: .zero)) == [.report(.link(.connecting)), .open(after: 1)])
  }

  @Test func aServerThatEndsEachPollAtOnceIsNotAskedWithoutAPause() {
    var script = WatchScript()
    _ = script.begin()
    let actions = script.report(.ended(nil, ordered: .zero))
    guard case .report(.link(.waiting(let wait, because: nil)))? = actions.first else {
      Issue.record("no wait: \(actions)")
      return
    }
    #expect(wait >= .milliseconds(250))
    #expect(script.pass() == [.report(.link(.connecting)), .open(after: 0)])
  }

  @Test func aLostStreamWaitsLongerEachTimeUntilAnEventComes() {
    var script = WatchScript()
    _ = script.begin()
    var waits: [Duration] = []
    for _ in 0..<3 {
      for case .report(.link(.waiting(let wait, _))) in script.report(.ended(unavailable, ordered: .zero)) {
        waits.append(wait)
      }
      _ = script.pass()
    }
    #expect(waits.count == 3)
    #expect(zip(waits, [250, 500, 1_000]).allSatisfy { $0 >= .milliseconds($1) && $0 <= .milliseconds($1 * 3 / 2) })
    _ = script.report(.event(WatchScript.event(1)))
    for case .report(.link(.waiting(let wait, _))) in script.report(.ended(unavailable, ordered: .zero)) {
      #expect(wait <= .milliseconds(375))
    }
  }

  @Test func aGapIsAskedForAgainAndBelievedWhenItComesTwice() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.report(.event(WatchScript.event(6))).first == .leave)
    #expect(script.pass().contains(.open(after: 3)))
    #expect(
      script.report(.event(WatchScript.event(6)))
        == [.report(.lost(4...5)), .report(.event(WatchScript.event(6)))])
    #expect(script.watch.applied == 6)
  }

  @Test func aGapThatWasATornFrameLosesNothing() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    _ = script.report(.event(WatchScript.event(5)))
    _ = script.pass()
    #expect(script.report(.event(WatchScript.event(4))) == [.report(.event(WatchScript.event(4)))])
    #expect(script.report(.event(WatchScript.event(5))) == [.report(.event(WatchScript.event(5)))])
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
    #expect(script.report(error.status == 410 ? .ended(error, ordered: .zero) : .failed(error)).last == .fetchSnapshot)
    let snapshot = WatchScript.snapshot(9)
    #expect(
      script.report(.snapshot(snapshot)) == [
        .report(.snapshot(snapshot)), .report(.lost(4...9)), .report(.link(.connecting)), .open(after: 9),
      ])
  }

  @Test func theDisguiseIsRecognised() {
    let error = WorkersError(
      errorEvent:
        #"{"error":{"code":"runtime_codex_stream_failed","message":"runtime codex stream returned HTTP 410"}}"#,
      requestID: nil)
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.report(.failed(error)) == [.leave, .fetchSnapshot])
  }

  @Test func aServerThatSaysWhereTheLogBeginsLosesLess() {
    let error = WorkersError(
      status: 410, body: Array(#"{"error":{"code":"stale_cursor","message":"old","resume_after":6}}"#.utf8),
      requestID: nil)
    var script = WatchScript(after: 3)
    _ = script.begin()
    _ = script.report(.ended(error, ordered: .zero))
    #expect(script.report(.snapshot(WatchScript.snapshot(9))).contains(.report(.lost(4...6))))
    #expect(script.watch.applied == 6)
  }

  @Test func anExpiredSignInStopsUntilThereIsAnother() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    let error = WorkersError(status: 401, body: [], requestID: nil)
    #expect(
      script.report(.ended(error, ordered: .zero)) == [.leave, .report(.link(.signInNeeded(error))), .signIn])
    #expect(script.watch.deadline == nil)
    #expect(script.report(.signedIn) == [.report(.link(.connecting)), .open(after: 3), .fetchSnapshot])
  }

  @Test(arguments: [403, 404, 422])
  func whatTryingAgainCannotChangeEndsTheWatch(_ status: Int) {
    var script = WatchScript()
    _ = script.begin()
    let error = WorkersError(status: status, body: [], requestID: nil)
    #expect(script.report(.ended(error, ordered: .zero)) == [.leave, .finish(error)])
    #expect(script.report(.event(WatchScript.event(1))) == [])
  }

  @Test func retryAfterIsHonoured() {
    var script = WatchScript()
    _ = script.begin()
    let error = WorkersError(status: 429, body: [], requestID: nil)
    #expect(
      script.report(.ended(error, ordered: .seconds(17)))
        == [.report(.link(.waiting(.seconds(17), because: error)))])
    #expect(script.watch.deadline == .seconds(17))
  }

  @Test func aStreamThatLooksAliveAndBringsNothingIsOpenedAgain() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    #expect(script.pass() == [.fetchSnapshot])
    #expect(script.report(.snapshot(WatchScript.snapshot(5))).count == 1)
    #expect(script.pass() == [.fetchSnapshot])
    #expect(script.report(.snapshot(WatchScript.snapshot(5))).contains(.leave))
    #expect(script.pass().contains(.open(after: 3)))
  }

  @Test func aLogThatWasBegunAgainIsReadFromItsPresentEnd() {
    var script = WatchScript(after: 30)
    _ = script.report(.begun)
    let actions = script.report(.snapshot(WatchScript.snapshot(2)))
    #expect(
      actions.dropFirst() == [
        .report(.rewound(from: 30, to: 2)), .leave, .report(.link(.connecting)), .open(after: 2),
      ])
  }

  @Test func aSnapshotFromBeforeTheNewestEventsRewindsNothing() {
    var script = WatchScript(after: 3)
    _ = script.report(.begun)
    for number in 4...6 { _ = script.report(.event(WatchScript.event(Int64(number)))) }
    #expect(script.report(.snapshot(WatchScript.snapshot(4))) == [.report(.snapshot(WatchScript.snapshot(4)))])
    #expect(script.watch.applied == 6)
  }

  @Test func anEventThatWasNotDealtWithComesAgain() {
    var script = WatchScript(after: 3)
    _ = script.begin()
    _ = script.report(.event(WatchScript.event(4)))
    #expect(script.report(.notTaken(4)).first == .leave)
    // What the stream that was left has still brought.
    #expect(script.report(.event(WatchScript.event(5))) == [])
    #expect(script.pass().contains(.open(after: 3)))
  }

  @Test func aSnapshotThatFailsHarmsNothing() {
    var script = WatchScript(after: 3)
    _ = script.report(.begun)
    #expect(script.report(.noSnapshot(unavailable)) == [])
    #expect(script.pass() == [.fetchSnapshot])
  }
}
