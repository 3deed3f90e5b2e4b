import Testing

@testable import SessionSimulation

/// Runs, and what a campaign asks of them.
struct SessionRunTests {
  @Test(arguments: 1...6) func everythingHoldsWhateverHappens(_ group: UInt64) {
    for seed in group * 1_000..<group * 1_000 + 15 {
      var generator = ScheduleGenerator(seed: seed)
      let result = SessionRun.run(generator.schedule())
      #expect(result.violations.isEmpty, "seed \(seed)")
    }
  }

  @Test func aCampaignThatMeetsNothingSaysSo() {
    var report = SessionReport()
    let setting = SessionSchedule.Setting(seed: 1, backends: 1, compactsEvery: nil, end: 1_000)
    report.add(SessionRun.run(SessionSchedule(setting: setting, steps: [])))
    #expect(report.failures.isEmpty)
    #expect(report.missing.contains("turnFinished complete"))
  }
}
