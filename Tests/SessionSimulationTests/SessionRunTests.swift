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

  /// Two sessions have the same backends, and each its own events.
  @Test func sessionsShareTheBackends() {
    let plan = TurnPlan(parts: [TurnPlan.Part(pieces: ["a"], pace: 1, calls: [], fails: false)])
    let setting = SessionSchedule.Setting(seed: 1, backends: 2, clients: 2, compactsEvery: nil, end: 20_000)
    let steps = [
      SessionStep(at: 1_000, .say(1, plan)), SessionStep(at: 1_000, .say(2, plan), client: 1),
      SessionStep(at: 1_200, .killBackend(0, down: 1_000)), SessionStep(at: 3_000, .killBackend(1, down: 1_000)),
    ]
    var applied: [String: Int] = [:]
    let result = SessionRun.run(SessionSchedule(setting: setting, steps: steps)) { observation, session, _ in
      if case .eventApplied = observation, let session { applied[session, default: 0] += 1 }
    }
    #expect(result.violations == [])
    #expect(applied.keys.sorted() == ["session-1", "session-2"])
  }

  @Test func aCampaignThatCoversNothingReportsIt() {
    var report = SessionReport()
    let setting = SessionSchedule.Setting(seed: 1, backends: 1, compactsEvery: nil, end: 1_000)
    report.add(SessionRun.run(SessionSchedule(setting: setting, steps: [])))
    #expect(report.failures.isEmpty)
    #expect(report.missing.contains("turnFinished complete"))
  }
}
