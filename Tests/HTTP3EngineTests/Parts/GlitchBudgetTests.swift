import Testing

@testable import HTTP3Engine

@Suite struct GlitchBudgetTests {
  private func spent(_ budget: inout GlitchBudget, _ count: Int, at now: Timestamp) -> Int {
    (0..<count).count { _ in budget.spend(at: now) }
  }

  @Test func aBurstIsAllowedAndThenAHundredASecond() {
    let start = Timestamp(nanoseconds: 1_000_000_000)
    var budget = GlitchBudget()
    #expect(spent(&budget, 2_000, at: start) == GlitchBudget.burst)
    #expect(spent(&budget, 10, at: start + .milliseconds(9)) == 0)
    #expect(spent(&budget, 10, at: start + .milliseconds(10)) == 1)
    #expect(spent(&budget, 1_000, at: start + .milliseconds(1_010)) == GlitchBudget.perSecond)
  }

  /// Of calls that come a little slower, or a little faster, than the limit none is lost to rounding.
  @Test(arguments: [7, 11, 19]) func theLimitDoesNotDependOnTheirDistance(_ milliseconds: Int) {
    let start = Timestamp(nanoseconds: 1_000_000_000)
    var budget = GlitchBudget()
    _ = spent(&budget, 2_000, at: start)
    let steps = 10_000 / milliseconds
    let sum = (1...steps).reduce(0) { $0 + spent(&budget, 10, at: start + .milliseconds($1 * milliseconds)) }
    #expect(sum == steps * milliseconds / 10)
  }

  @Test func aLongRestGivesNoMoreThanOneBurst() {
    let start = Timestamp(nanoseconds: 1_000_000_000)
    var budget = GlitchBudget()
    _ = spent(&budget, 2_000, at: start)
    #expect(spent(&budget, 5_000, at: start + .seconds(86_400 * 365 * 200)) == GlitchBudget.burst)
  }
}
