import Testing

@testable import latency_lab

struct RunOrderTests {
  @Test func eachRepetitionHasEveryArmOnceAndTheWarmUpComesFirst() throws {
    let arms = try Arm.list("h3,h2,h1,auto")
    let runs = RunOrder(arms: arms, repetitions: 20, seeds: ExperimentSeeds(first: 7, count: 5)).runs
    #expect(runs.count == 84)
    for round in 0..<21 {
      let slice = runs[round * 4..<round * 4 + 4]
      #expect(Set(slice.map(\.arm)) == Set(arms))
      #expect(slice.allSatisfy { $0.repetition == round - 1 })
    }
    #expect(runs.first?.repetition == RunOrder.warmUp)
  }

  @Test func theOrderIsTheSeedsAndChangesFromRoundToRound() throws {
    let arms = try Arm.list("h3,h2,h1")
    let first = RunOrder(arms: arms, repetitions: 30, seeds: ExperimentSeeds(first: 1, count: 5)).runs
    #expect(first == RunOrder(arms: arms, repetitions: 30, seeds: ExperimentSeeds(first: 1, count: 5)).runs)
    #expect(first != RunOrder(arms: arms, repetitions: 30, seeds: ExperimentSeeds(first: 2, count: 5)).runs)
    // Every arm is the first of a round about as often as the others.
    let leaders = stride(from: 0, to: first.count, by: 3).map { first[$0].arm.name }
    for arm in arms {
      let count = leaders.count { $0 == arm.name }
      #expect((4...18).contains(count), "seed 1: \(arm.name) leads \(count) of \(leaders.count) rounds")
    }
  }

  @Test func seedsTakeTurnsAndAnArmHasThePairsSeed() throws {
    let runs = RunOrder(arms: try Arm.list("h3,h2"), repetitions: 10, seeds: ExperimentSeeds(first: 3, count: 5)).runs
    for run in runs { #expect(run.seed == 3 + UInt64(max(0, run.repetition) % 5)) }
    #expect(ExperimentSeeds(first: .max, count: 2).all == [.max, 0])
    #expect(ExperimentSeeds(first: 1, count: 0).all == [1])
  }
}
