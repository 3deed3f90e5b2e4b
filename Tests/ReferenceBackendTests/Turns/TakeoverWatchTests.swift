import ReferenceBackend
import Testing

struct TakeoverWatchTests {
  @Test func whatWasAbandonedIsTakenAtOnceAndAfterAnOutageOnceALeasesTimeHasPassed() {
    var watch = TakeoverWatch()
    #expect(watch.found(abandoned: ["a"], unclaimed: [:]) == ["a"])
    for _ in 0..<3 {
      watch.failed()
      for _ in 0..<TakeoverWatch.roundsPerLease { #expect(watch.found(abandoned: ["a"], unclaimed: [:]).isEmpty) }
      #expect(watch.found(abandoned: ["a"], unclaimed: [:]) == ["a"])
    }
    // An outage that comes back begins anew.
    watch.failed()
    #expect(watch.found(abandoned: ["a"], unclaimed: [:]).isEmpty)
    watch.failed()
    for _ in 0..<TakeoverWatch.roundsPerLease { #expect(watch.found(abandoned: ["a"], unclaimed: [:]).isEmpty) }
    #expect(watch.found(abandoned: ["a"], unclaimed: [:]) == ["a"])
  }

  @Test func whatNobodyClaimsIsTakenOnceItWasMetForALeasesTime() {
    var watch = TakeoverWatch()
    for _ in 0..<TakeoverWatch.roundsPerLease { #expect(watch.found(abandoned: [], unclaimed: ["1": "a"]).isEmpty) }
    #expect(watch.found(abandoned: ["b"], unclaimed: ["1": "a", "2": "c"]) == ["b", "a"])
    // Claimed meanwhile, and another turn of the same session since.
    #expect(watch.found(abandoned: [], unclaimed: ["3": "a"]).isEmpty)
    // A session is named once.
    for _ in 0..<TakeoverWatch.roundsPerLease { _ = watch.found(abandoned: [], unclaimed: ["3": "a"]) }
    #expect(watch.found(abandoned: ["a"], unclaimed: ["3": "a"]) == ["a"])
  }
}
