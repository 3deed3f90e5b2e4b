import SessionSimulation
import TestSupport
import Testing

@testable import CompanionSimulation

/// Runs of the companion, and what a campaign asks of them.
struct CompanionRunTests {
  private func schedule(_ seed: UInt64) -> CompanionSchedule {
    var generator = CompanionScheduleGenerator(seed: seed)
    return generator.schedule()
  }

  @Test(arguments: 1...4) func everythingHoldsWhateverHappens(_ group: UInt64) {
    for seed in group * 1_000..<group * 1_000 + 100 {
      #expect(CompanionRun.run(schedule(seed)).violations.isEmpty, "seed \(seed)")
    }
  }

  @Test func theSameScheduleIsTheSameRunAlsoWhenItWasWritten() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var runs: [[CompanionObservation]] = [[], []]
      let read = try CompanionSchedule(lines: schedule(seed).lines())
      _ = CompanionRun.run(schedule(seed)) { observation, _ in runs[0].append(observation) }
      _ = CompanionRun.run(read) { observation, _ in runs[1].append(observation) }
      #expect(runs[0] == runs[1], "seed \(seed)")
      #expect(runs[0].count > 10)
    }
  }

  @Test func numbersOutOfAllRangesTrapNothing() {
    let setting = CompanionSchedule.Setting(seed: 1, end: 100)
    let steps = [Int.min, -1, Int.max].flatMap { number in
      [
        CompanionStep(at: 10, .killCompanion(step: number, down: min(number, 1_000))),
        CompanionStep(at: 20, .pauseCompanion(for: min(number, 1_000))),
        CompanionStep(at: 30, .killCodex(down: min(number, 1_000))), CompanionStep(at: 40, .cutDevice(number, for: 10)),
        CompanionStep(at: 50, .loseAnswer(number)), CompanionStep(at: 60, .turn(number, [], atOnce: true)),
      ]
    }
    _ = CompanionRun.run(CompanionSchedule(setting: setting, steps: steps.sorted { $0.at < $1.at }))
  }

  @Test func aCampaignThatCoversNothingReportsIt() {
    var report = CompanionReport()
    let setting = CompanionSchedule.Setting(seed: 1, end: 1_000)
    report.add(CompanionRun.run(CompanionSchedule(setting: setting, steps: [])))
    #expect(report.failures.isEmpty)
    #expect(report.missing.contains("ran"))
  }
}
