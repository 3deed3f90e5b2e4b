import LatencyReport
import LinkModel
import Testing

@Suite struct FindingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Of HTTP/2, a repetition each; HTTP/3 has 10 ms.
    var excesses: [Double]
    var finding: Judgement.Finding
  }

  static let rows = [
    Row(testDescription: "later by far", excesses: [20, 21, 22, 20, 21], finding: .armBetter),
    Row(testDescription: "earlier by far", excesses: [3, 2, 3, 4, 3], finding: .baselineBetter),
    Row(testDescription: "both ways", excesses: [20, 1, 19, 2, 10], finding: .undecided),
    Row(testDescription: "equal", excesses: [10, 10, 10, 10, 10], finding: .equivalent),
    Row(testDescription: "less than the bound", excesses: [11.1, 11.2, 11.1, 11.3, 11.1], finding: .equivalent),
    Row(testDescription: "as much as the bound", excesses: [12, 12.3, 12.2, 12.1, 12.1], finding: .armBetter),
    Row(testDescription: "four of five", excesses: [20, 20, 20, 20, 5], finding: .undecided),
  ]

  private func results(_ excesses: [Double], rules: ExperimentRules = ExperimentRules()) -> ExperimentResults {
    let runs = SampleExperiment.runs(["h3", "h2"], repetitions: excesses.count) { arm, repetition in
      arm == "h2" ? excesses[repetition] : 10
    }
    var description = SampleExperiment.description()
    description.rules = rules
    description.rules.headlineMetric = .excessMax
    return ExperimentAnalysis.results(description, runs: runs)
  }

  @Test(arguments: rows) func aFindingNeedsAnIntervalWithoutZeroAndMoreThanNoise(_ row: Row) throws {
    #expect(results(row.excesses + row.excesses).comparison(.excessMax)?.judgement.finding == row.finding)
  }

  @Test func nineOfTenAreFoundAndEightAreNot() throws {
    let nine = Array(repeating: 30.0, count: 9) + [5]
    #expect(results(nine).comparison(.excessMax)?.judgement.finding == .armBetter)
    #expect(results(Array(nine.dropFirst()) + [5]).comparison(.excessMax)?.judgement.finding == .undecided)
  }

  @Test func ninePairsAreTooFewWhateverTheyShow() throws {
    let comparison = try #require(results(Array(repeating: 500, count: 9)).comparison(.excessMax))
    #expect(comparison.judgement == .tooFew(range: Interval(low: 490, high: 490)))
  }

  @Test func withoutABoundNothingIsEquivalent() throws {
    let rules = ExperimentRules(equivalenceMilliseconds: nil)
    let same = Array(repeating: 10.0, count: 12)
    #expect(results(same, rules: rules).comparison(.excessMax)?.judgement.finding == .undecided)
  }

  /// The calibration said 1 ms; the floor is what the link was in the compared runs themselves.
  @Test func theFloorIsTheLinksOwnLatenessInTheseRuns() throws {
    var runs = SampleExperiment.runs(["h3", "h2"], repetitions: 12) { arm, _ in arm == "h2" ? 11.5 : 10 }
    for place in runs[20].packets.indices {
      runs[20].packets[place].left = runs[20].packets[place].due.map { $0 + 1_800_000 }
    }
    var description = SampleExperiment.description(rules: ExperimentRules(equivalenceMilliseconds: nil))
    description.rules.headlineMetric = .excessMax
    let comparison = try #require(ExperimentAnalysis.results(description, runs: runs).comparison(.excessMax))
    #expect(isNear(comparison.noiseFloor, 1.8, within: 1e-3))
    #expect(comparison.judgement == .belowNoiseFloor)
  }

  /// Thirty pairs that agree are found in any number of comparisons, eleven of twelve only among few.
  @Test func whatIsOnlyLookedAtIsCorrectedForHowMuchThereIs() throws {
    let eleven = [5.0] + Array(repeating: 30, count: 11)
    let found = results(eleven).comparisons
    #expect(found.first?.judgement.finding == .armBetter)
    let exploratory = try #require(found.first { $0.metric == .excessP99 })
    guard case .undecided(let undecided) = exploratory.judgement else {
      Issue.record("\(exploratory.judgement)")
      return
    }
    #expect(undecided.reason == .corrected && !undecided.interval.contains(0))
  }

  @Test func whatIsNotTimedHasNoFloor() {
    #expect(Metric.stalls200.amount(ofMilliseconds: 1, roundTripMilliseconds: 50) == 0)
    #expect(Metric.excessP50.amount(ofMilliseconds: 1, roundTripMilliseconds: 50) == 1)
    #expect(Metric.downloadTime.amount(ofMilliseconds: 1, roundTripMilliseconds: 50) == 0.001)
    #expect(Metric.recoveryP50.amount(ofMilliseconds: 1, roundTripMilliseconds: 50) == 0.02)
    #expect(Metric.recoveryP50.amount(ofMilliseconds: 1, roundTripMilliseconds: 0) == 0)
  }

  @Test func moreGoodputIsBetter() {
    let scenario = Sample.scenario(name: "grid", downloadBytes: 1_000_000)
    let runs = (0..<12).flatMap { repetition in
      ["h3", "h2"].map { arm in
        let time = arm == "h3" ? 1000.0 + Double(repetition) : 2000
        let body = EventRecord(
          stream: 0, sequence: 0, scheduled: Sample.start, written: Sample.start, received: Sample.nanoseconds(time))
        return Sample.run(Sample.client(events: [body]), arm: arm, repetition: repetition)
      }
    }
    let results = ExperimentAnalysis.results(SampleExperiment.description(scenario), runs: runs)
    #expect(results.comparison(.goodput)?.judgement.finding == .armBetter)
    #expect((results.comparison(.goodput)?.judgement.difference?.median ?? 0) < 0)
    #expect(results.comparisons.first?.metric == .downloadTime)
    #expect(results.header.verdict.hasPrefix("On grid, HTTP/3's download time was 0.994 s lower than HTTP/2's"))
    #expect(results.plots.timelines.isEmpty)
  }
}
