import TestSupport
import Testing

@testable import SessionSimulation

/// Schedules: values that are drawn, written, read, run and shortened.
struct SessionScheduleTests {
  private func schedule(_ seed: UInt64) -> SessionSchedule {
    var generator = ScheduleGenerator(seed: seed)
    return generator.schedule()
  }

  @Test func whatIsWrittenIsReadBack() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      let schedule = schedule(seed)
      #expect(try SessionSchedule(lines: schedule.lines()) == schedule)
    }
  }

  @Test(arguments: [
    "", "{}", #"{"backends":3,"end":1,"seed":1}"#, #"{"backends":1,"end":-1,"seed":1}"#,
    #"{"backends":1,"compactsEvery":0,"end":1,"seed":1}"#, #"{"backends":1,"clients":4,"end":1,"seed":1}"#,
    "{\"backends\":1,\"end\":1,\"seed\":1}\n{\"at\":-5,\"event\":{\"retry\":{}}}",
    "{\"backends\":1,\"end\":1,\"seed\":1}\n{\"at\":5,\"event\":{\"fly\":{}}}",
  ])
  func whatIsNoScheduleIsRefused(_ lines: String) {
    #expect(throws: (any Error).self) { try SessionSchedule(lines: lines) }
  }

  @Test func numbersOutOfAllRangesTrapNothing() {
    var steps: [SessionStep] = []
    for number in [Int.min, -1, Int.max] {
      steps += [
        SessionStep(at: 10, .killClient(step: number, kept: Double(number), down: number)),
        SessionStep(at: 20, .killBackend(number, down: number)), SessionStep(at: 30, .killBackend(0, down: number)),
        SessionStep(at: 35, .killBackend(0, step: number, down: number)),
        SessionStep(at: 40, .setClientClock(seconds: number)),
        SessionStep(at: 50, .setBackendClock(0, seconds: number)),
        SessionStep(at: 60, .cutStream(afterBytes: number)), SessionStep(at: 70, .trim(keeping: .nan)),
        SessionStep(at: 80, .repeatEvents(number, isShuffled: true)),
        SessionStep(at: 90, .disturbRequests(.reset, count: min(number, 3))),
        SessionStep(at: 92, .slowStream(upTo: number)), SessionStep(at: 93, .stallClient(for: min(number, 1_000))),
        SessionStep(at: 95, .disturbStorage(.slow, for: number)),
        SessionStep(at: 96, .trim(keeping: 1), client: number),
      ]
    }
    let setting = SessionSchedule.Setting(seed: 1, backends: 1, compactsEvery: nil, end: 100)
    _ = SessionRun.run(SessionSchedule(setting: setting, steps: steps.sorted { $0.at < $1.at }))
  }

  @Test func theSameScheduleIsTheSameRun() {
    for seed in 1...10 as ClosedRange<UInt64> {
      var runs: [[Observation]] = [[], []]
      for run in runs.indices {
        _ = SessionRun.run(schedule(seed)) { observation, _, _ in runs[run].append(observation) }
      }
      #expect(runs[0] == runs[1], "seed \(seed)")
      #expect(runs[0].count > 10)
    }
  }

  @Test func aFailingScheduleLosesAllThatItDoesNotNeed() {
    let plan = TurnPlan(parts: [
      TurnPlan.Part(pieces: ["a", "b"], pace: 1, calls: [], fails: false),
      TurnPlan.Part(pieces: ["c"], pace: 1, calls: [], fails: false),
    ])
    let setting = SessionSchedule.Setting(seed: 1, backends: 2, compactsEvery: 3, end: 100)
    let schedule = SessionSchedule(
      setting: setting,
      steps: [
        SessionStep(at: 1, .say(1, plan)), SessionStep(at: 2, .retry), SessionStep(at: 3, .loseEvent),
        SessionStep(at: 4, .say(2, plan)),
      ])
    let shortened = ScheduleShortener.shorten(schedule) { candidate in
      candidate.steps.contains { $0.event == .loseEvent } && candidate.plan(2)?.parts.last?.pieces == ["c"]
    }
    #expect(
      shortened.steps == [
        SessionStep(at: 3, .loseEvent), SessionStep(at: 4, .say(2, TurnPlan(parts: [plan.parts[1]]))),
      ])
    #expect(shortened.setting.backends == 1 && shortened.setting.compactsEvery == nil)
  }
}
