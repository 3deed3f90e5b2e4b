import LatencyReport
import Testing

@Suite struct BudgetTests {
  @Test(arguments: [
    ("excessP99<150ms", Budget(metric: .excessP99, limit: 150)),
    ("h3:excessP99<150ms", Budget(arm: "h3", metric: .excessP99, limit: 150)),
    (" h3 : excessP99 < 0.15 s ", Budget(arm: "h3", metric: .excessP99, limit: 150)),
    ("excessP99<150", Budget(metric: .excessP99, limit: 150)),
    ("stalls200<1", Budget(metric: .stalls200, limit: 1)),
    ("late100<0.5%", Budget(metric: .late100, limit: 0.5)),
    ("goodput>5Mbit/s", Budget(metric: .goodput, limit: 5)),
    ("downloadTime<2500ms", Budget(metric: .downloadTime, limit: 2.5)),
    ("recoveryP95<3RTT", Budget(metric: .recoveryP95, limit: 3)),
  ])
  func aBudgetIsRead(_ row: (text: String, budget: Budget)) throws {
    #expect(try Budget(parsing: row.text) == row.budget)
  }

  @Test(arguments: [
    ("", "no '<' or '>'"), ("excessP99", "no '<' or '>'"), ("excess<1ms", "excessP99, "),
    ("excessP99>150ms", "must be written with '<'"), ("goodput<5", "must be written with '>'"),
    ("excessP99<", "no number"), ("excessP99<fast", "no number"), ("excessP99<1e999ms", "'e999ms'"),
    ("excessP99<150%", "measured in ms or s"), ("stalls200<1ms", "a count without a unit"), (":excessP99<1", "no arm"),
    ("<", "names no metric"), ("a:b:excessP99<1", "names no metric"), ("excessP99<1.2.3", "no number"),
  ])
  func whatIsWrongIsSaidWithTheRemedy(_ row: (text: String, words: String)) {
    let error = #expect(throws: BudgetError.self) { try Budget(parsing: row.text) }
    #expect(error?.description.contains(row.words) == true, "\(error?.description ?? "")")
  }

  @Test func anUnknownArmIsRefused() throws {
    let error = #expect(throws: BudgetError.self) {
      try Budget(parsing: "h4:excessP99<1").check(arms: ["h3", "h2"])
    }
    #expect(error?.description.contains("this experiment has h3, h2") == true)
    try Budget(parsing: "h3:excessP99<1").check(arms: ["h3", "h2"])
    try Budget(parsing: "excessP99<1").check(arms: [])
  }

  @Test func aBudgetIsAboutTheMedianRunOfEachArm() throws {
    let arms = Array(Sample.arms.prefix(2)) + [ArmDescription(name: "curl", label: "libcurl", isControl: true)]
    let budgets = try ["excessP95<30ms", "curl:excessP95<30ms", "h3:connect<1ms", "h3:reconnectGap<9s"].map {
      try Budget(parsing: $0)
    }
    let results = ExperimentAnalysis.results(
      SampleExperiment.description(arms: arms, budgets: budgets),
      runs: SampleExperiment.runs(["h3", "h2", "curl"], repetitions: 5) { arm, repetition in
        arm == "h3" ? 10 + Double(repetition) : 50
      })
    #expect(results.budgets.map(\.arm) == ["h3", "h2", "curl", "h3", "h3"])
    #expect(results.budgets.map(\.isKept) == [true, false, false, false, false])
    #expect(isNear(results.budgets[0].value, 12, within: 0.02))
    #expect(results.budgets[4].value == nil)
  }
}
