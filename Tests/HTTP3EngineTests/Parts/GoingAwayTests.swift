import Testing

@testable import HTTP3Engine

/// The two steps of going away (RFC 9114 § 5.2).
@Suite struct GoingAwayTests {
  private let now = Timestamp(nanoseconds: 5_000_000_000)
  private let wait = Duration.milliseconds(80)

  @Test func theNoticeComesFirstAndTheFinalFrameAfterTheWait() {
    var going = GoingAway()
    let early = going.takeNotice(at: now, wait: wait)
    #expect(!early && !going.hasBegun && going.deadline == nil)
    going.begin()
    #expect(going.hasBegun && going.deadline == nil)
    let notice = going.takeNotice(at: now, wait: wait)
    let again = going.takeNotice(at: now, wait: wait)
    #expect(notice && !again)
    #expect(going.deadline == now + wait)
    let tooSoon = going.takeFinal(at: now + .milliseconds(79))
    let inTime = going.takeFinal(at: now + wait)
    let late = going.takeFinal(at: now + wait)
    #expect(!tooSoon && inTime && !late)
    #expect(going.deadline == nil && going.hasBegun)
  }

  @Test func theFinalFrameCanBeSentWithoutTheWaitAndOnce() {
    var going = GoingAway()
    let first = going.takeFinal()
    let second = going.takeFinal()
    #expect(first && !second)
    // Nothing begins again.
    going.begin()
    let notice = going.takeNotice(at: now, wait: wait)
    #expect(!notice)
  }

  @Test func thePeersGoingAwayIsNotOurs() {
    var going = GoingAway()
    going.peerDidAnnounce()
    #expect(going.isPeerGoingAway && !going.hasBegun)
  }
}
