import CodexAppServer
import TestSupport
import Testing

struct RestartRuleTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func waitsDoubleUntilALifeWasGood(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var rule = RestartRule(base: .seconds(1), ceiling: .seconds(10), goodWhile: .seconds(60))
    func check(_ life: Duration, _ longest: Int, _ rule: inout RestartRule) {
      let wait = rule.wait(afterLife: life, using: &generator)
      #expect(wait >= .seconds(longest) / 2 && wait <= .seconds(longest), "seed \(seed): \(wait)")
    }
    for longest in [1, 2, 4, 8, 10, 10] { check(.seconds(59), longest, &rule) }
    for longest in [1, 2] { check(longest == 1 ? .seconds(60) : .zero, longest, &rule) }
    for _ in 0..<2_000 { _ = rule.wait(afterLife: .zero, using: &generator) }
    check(.zero, 10, &rule)
  }

  @Test func oddTimesTrapNothing() {
    var generator = SeededGenerator(seed: 1)
    var rule = RestartRule(base: .zero, ceiling: .seconds(Int64.max / 4), goodWhile: .zero)
    #expect(rule.wait(afterLife: .seconds(-1), using: &generator) == .zero)
  }
}
