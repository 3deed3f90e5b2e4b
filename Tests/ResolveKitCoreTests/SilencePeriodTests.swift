import Testing

@testable import ResolveKitCore

struct SilencePeriodTests {
  private let second = CallScript.second
  private let policy: TurnPolicy = {
    var policy = TurnPolicy()
    policy.watchdogSeconds = 30
    policy.giveUpSeconds = 90
    return policy
  }()

  @Test func aSilentTurnIsAskedAboutAndGivenUp() {
    var silence = TurnSilence(at: 0)
    #expect(silence.periodEnded(at: 30 * second, policy) == .ask)
    #expect(silence.periodEnded(at: 60 * second, policy) == .ask)
    #expect(silence.periodEnded(at: 90 * second, policy) == .giveUp)
  }

  @Test func aReportRestartsThePeriods() {
    var silence = TurnSilence(at: 0)
    #expect(silence.periodEnded(at: 30 * second, policy) == .ask)
    silence.broken(at: 40 * second)
    #expect(silence.periodEnded(at: 60 * second, policy) == .wait(until: 70 * second))
    #expect(silence.periodEnded(at: 70 * second, policy) == .ask)
    #expect(silence.periodEnded(at: 100 * second, policy) == .ask)
    #expect(silence.periodEnded(at: 130 * second, policy) == .giveUp)
  }

  @Test func anExcusedSilenceDoesNotCountAndForgivesNothing() {
    var silence = TurnSilence(at: 0)
    #expect(silence.periodEnded(at: 30 * second, policy) == .ask)
    #expect(silence.periodEnded(at: 60 * second, policy) == .ask)
    silence.excused(at: 600 * second)
    #expect(silence.periodEnded(at: 600 * second, policy) == .wait(until: 630 * second))
    #expect(silence.periodEnded(at: 630 * second, policy) == .giveUp)
  }

  @Test func aLongSleepIsOnePeriod() {
    var silence = TurnSilence(at: 0)
    #expect(silence.periodEnded(at: 9000 * second, policy) == .ask)
  }
}
