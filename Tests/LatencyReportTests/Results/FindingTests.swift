import LatencyReport
import LinkModel
import Testing

@Suite struct FindingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Of HTTP/2, a repetition each; HTTP/3 has 10 ms.
    var excesses: [Double]
    var finding: Comparison.Finding
  }

  static let rows = [
    Row(testDescription: "later by far", excesses: [20, 21, 22, 20, 21], finding: .armBetter),
    Row(testDescription: "earlier by far", excesses: [3, 2, 3, 4, 3], finding: .baselineBetter),
    Row(testDescription: "both ways", excesses: [20, 1, 19, 2, 10], finding: .noSignificantDifference),
    Row(testDescription: "equal", excesses: [10, 10, 10, 10, 10], finding: .noSignificantDifference),
    Row(testDescription: "just below the floor", excesses: [10.9, 10.9, 10.9, 10.9, 10.9], finding: .belowNoiseFloor),
    Row(testDescription: "just above the floor", excesses: [11.1, 11.1, 11.1, 11.1, 11.1], finding: .armBetter),
    Row(testDescription: "below the floor, earlier", excesses: [9.1, 9.1, 9.1, 9.1, 9.1], finding: .belowNoiseFloor),
    Row(testDescription: "four pairs", excesses: [50, 50, 50, 50], finding: .tooFewRuns),
  ]

  @Test(arguments: rows) func aFindingNeedsAnIntervalWithoutZeroAndMoreThanNoise(_ row: Row) throws {
    let runs = SampleExperiment.runs(["h3", "h2"], repetitions: row.excesses.count) { arm, repetition in
      arm == "h2" ? row.excesses[repetition] : 10
    }
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs)
    #expect(results.comparison(.excessMax)?.finding == row.finding)
  }

  @Test func whatIsNotTimedHasNoFloor() {
    #expect(Metric.stalls200.noiseFloor(milliseconds: 1, roundTripMilliseconds: 50) == 0)
    #expect(Metric.excessP50.noiseFloor(milliseconds: 1, roundTripMilliseconds: 50) == 1)
    #expect(Metric.downloadTime.noiseFloor(milliseconds: 1, roundTripMilliseconds: 50) == 0.001)
    #expect(Metric.recoveryP50.noiseFloor(milliseconds: 1, roundTripMilliseconds: 50) == 0.02)
    #expect(Metric.recoveryP50.noiseFloor(milliseconds: 1, roundTripMilliseconds: 0) == 0)
  }

  @Test func moreGoodputIsBetter() {
    let scenario = Sample.scenario(name: "grid", downloadBytes: 1_000_000)
    let runs = (0..<6).flatMap { repetition in
      ["h3", "h2"].map { arm in
        let time = arm == "h3" ? 1000.0 + Double(repetition) : 2000
        let body = EventRecord(
          stream: 0, sequence: 0, scheduled: Sample.start, written: Sample.start, received: Sample.nanoseconds(time))
        return Sample.run(Sample.client(events: [body]), arm: arm, repetition: repetition)
      }
    }
    let results = ExperimentAnalysis.results(SampleExperiment.description(scenario), runs: runs)
    #expect(results.comparison(.goodput)?.finding == .armBetter)
    #expect((results.comparison(.goodput)?.mean ?? 0) < 0)
    #expect(results.comparisons.first?.metric == .downloadTime)
    #expect(results.header.verdict.hasPrefix("On grid, HTTP/3's download time was 0.998 s lower than HTTP/2's"))
    #expect(results.plots.timelines.isEmpty)
  }
}
