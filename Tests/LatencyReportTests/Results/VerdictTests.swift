import LatencyReport
import LinkModel
import Testing

@Suite struct VerdictTests {
  private func results(
    repetitions: Int = 10, lateEvents: Int = 40, arms: [ArmDescription] = Array(Sample.arms.prefix(2)),
    excess: (String, Int) -> Double
  ) -> ExperimentResults {
    ExperimentAnalysis.results(
      SampleExperiment.description(arms: arms),
      runs: SampleExperiment.runs(arms.map(\.name), repetitions: repetitions, lateEvents: lateEvents, excess: excess))
  }

  @Test func aClearOneIsOneSentenceWithItsInterval() throws {
    let verdict = SampleExperiment.clear.header.verdict
    let difference = try #require(SampleExperiment.clear.comparisons.first?.judgement.difference)
    #expect(
      verdict
        == "On loss-2 with 8 streams, HTTP/3's p95 excess latency was \(Metric.number(difference.median)) ms lower than "
        + "HTTP/2's (median of 10 pairs of 1 seed, 95 % interval \(Metric.number(difference.interval.low)) to "
        + "\(Metric.number(difference.interval.high)) ms)."
    )
    #expect(
      SampleExperiment.clear.header.question
        == "For 8 streams of 50 tokens/s, 5 s on loss-2: is HTTP/3 better than HTTP/2, and by how much?")
  }

  @Test func whereHTTP2WinsItSaysSo() {
    let verdict = results { arm, _ in arm == "h3" ? 60 : 20 }.header.verdict
    #expect(verdict.contains("HTTP/3's p95 excess latency was 40 ms higher than HTTP/2's"))
  }

  @Test func whatIsNotShownIsPrintedAsSuch() {
    let verdict = results { arm, repetition in arm == "h3" ? 30 : repetition.isMultiple(of: 2) ? 10 : 52 }.header
      .verdict
    #expect(
      verdict.contains(
        "no difference between HTTP/3 and HTTP/2 in p95 excess latency is shown, nor that there is none (95 % interval")
    )
  }

  @Test func noDifferenceIsAFinding() {
    let verdict = results { arm, repetition in 10 + (arm == "h3" ? 0 : Double(repetition) / 10) }.header.verdict
    #expect(
      verdict.contains(
        "HTTP/3 and HTTP/2 differ in p95 excess latency by less than the 2 ms declared as no difference (95 % interval")
    )
  }

  @Test func belowTheNoiseFloorNothingIsJudged() {
    let verdict = ExperimentAnalysis.results(
      SampleExperiment.description(rules: ExperimentRules(equivalenceMilliseconds: nil)),
      runs: SampleExperiment.runs(["h3", "h2"], repetitions: 10) { arm, _ in arm == "h3" ? 10 : 10.5 }
    ).header.verdict
    #expect(verdict.contains("by less than the noise floor of 1 ms, which is not judged"))
  }

  @Test func tooFewPairsGiveNoVerdict() {
    let verdict = results(repetitions: 3) { arm, _ in arm == "h3" ? 10 : 90 }.header.verdict
    #expect(
      verdict.contains(
        "too few pairs for a verdict on HTTP/3 against HTTP/2: 3 pairs of 1 seed, at least 10 are needed"))
  }

  @Test func aTailThatDisagreesIsSaid() {
    // The 19 latest of 20 are better, the very latest is worse: p95 and p99 part.
    let runs = (0..<30).flatMap { repetition in
      ["h3", "h2"].map { arm in
        let latencies = (0..<40).map { 25.0 + (arm == "h3" ? ($0 == 39 ? 300 : 2) : 30) }
        return Sample.run(
          Sample.client(events: Sample.stream(latencies: latencies)), arm: arm, repetition: repetition)
      }
    }
    let verdict = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs).header.verdict
    #expect(verdict.contains("HTTP/3's p95 excess latency was 28 ms lower than HTTP/2's"))
    #expect(verdict.contains(", but its p99 excess latency was 270 ms higher ("))
  }

  @Test func aMedianThatDiffersIsSaidWhereTheTailDoesNot() {
    let runs = (0..<30).flatMap { repetition in
      ["h3", "h2"].map { arm in
        let latencies = (0..<40).map { 25.0 + ($0 >= 30 ? 60 : arm == "h3" ? 2 : 22) }
        return Sample.run(
          Sample.client(events: Sample.stream(latencies: latencies)), arm: arm, repetition: repetition)
      }
    }
    let verdict = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs).header.verdict
    #expect(verdict.contains("declared as no difference"))
    #expect(verdict.contains(", but its median excess latency was 20 ms lower ("))
  }

  @Test func controlsAreComparedLast() {
    let arms = [
      ArmDescription(name: "curl-h3", label: "libcurl", isControl: true), ArmDescription(name: "h1", label: "HTTP/1.1"),
      ArmDescription(name: "h3", label: "HTTP/3"), ArmDescription(name: "h2", label: "HTTP/2"),
    ]
    let results = results(arms: arms) { _, _ in 5 }
    var pairs: [String] = []
    for comparison in results.comparisons where pairs.last != comparison.baseline { pairs.append(comparison.baseline) }
    #expect(pairs == ["h2", "h1", "curl-h3"])
    #expect(results.comparisons.allSatisfy { $0.arm == "h3" })
    #expect(results.comparisons.allSatisfy { $0.metric.isOutcome })
  }

  @Test func theHonestyBlockIsAlwaysThere() {
    for results in [SampleExperiment.clear, results(repetitions: 0) { _, _ in 1 }] {
      for words in [
        "Realised loss", "Rules stated before the runs", "coordinated omission", "never came", "one stream",
        "reordering",
        "exploratory", "no difference shown", "noise floor", "sign tests", "within 5 ms",
      ] {
        #expect(results.header.honesty.contains { $0.contains(words) }, "\(words)")
      }
    }
  }

  @Test func eventsBeforeTheirTimeAreAWarning() {
    let results = results { _, _ in -2 }
    #expect(results.header.honesty.contains { $0.hasPrefix("WARNING: events came up to 2 ms before") })
    #expect(!SampleExperiment.clear.header.honesty.contains { $0.hasPrefix("WARNING") })
  }

  @Test func theSingleStreamCaseStandsBeside() {
    var single = SampleExperiment.clear
    single.scenario.streams = 1
    single.header.verdict = "On loss-2 with 1 stream, no significant difference."
    let results = ExperimentAnalysis.results(
      SampleExperiment.description(), runs: SampleExperiment.runs(["h2", "h3"], repetitions: 5) { _, _ in 1 },
      companions: [CompanionExperiment(single)])
    #expect(
      results.header.honesty.contains("The same with one stream: On loss-2 with 1 stream, no significant difference."))
    #expect(results.companions.first?.arms.map(\.name) == ["h3", "h2"])
  }
}
