import ResolveKitCore
import StreamTransport
import Synchronization
import Testing

@testable import ResolveKitSession

struct SessionClockTests {
  private static let second: UInt64 = 1_000_000_000

  /// Two clocks of a machine, which a test moves.
  private final class Machine: Sendable {
    let monotonic = Mutex<UInt64>(100 * second)
    let suspended = Mutex<UInt64>(0)

    var clock: SessionClock {
      SessionClock(
        suspension: SuspensionWatch { self.suspended.withLock { $0 } }, monotonic: { self.monotonic.withLock { $0 } })
    }
  }

  @Test func aNewSessionsTimeIsTheMonotonicClock() {
    let machine = Machine()
    var clock = machine.clock
    let now = clock.now()
    #expect(now == 100 * Self.second)
  }

  @Test func timeContinuesOverTheEndOfAProcess() {
    var clock = Machine().clock
    clock.resume(from: 5 * Self.second, after: 2_000)
    let now = clock.now()
    #expect(now == 7 * Self.second, "the process was away for 2 s")
    #expect(clock.monotonicTime(now) == 100 * Self.second)
    #expect(clock.sessionTime(101 * Self.second) == 8 * Self.second)
  }

  @Test func timePassesWhileTheMachineIsSuspended() {
    let machine = Machine()
    var clock = machine.clock
    machine.suspended.withLock { $0 = 3600 * Self.second }
    let times = [clock.now(), clock.now()]
    #expect(times == [3700 * Self.second, 3700 * Self.second], "a suspension counts once")
  }

  @Test func theWaitForAPastMomentIsNothing() {
    var clock = Machine().clock
    let waits = [clock.wait(until: 99 * Self.second), clock.wait(until: 102 * Self.second)]
    #expect(waits == [.zero, .seconds(2)])
  }

  @Test func noTimeOfAJournalTraps() {
    var clock = Machine().clock
    clock.resume(from: .max, after: .max)
    let latest = clock.now()
    #expect(latest > 0)
    clock.resume(from: 0, after: 0)
    let earliest = clock.now()
    #expect(earliest == 0)
  }
}
