import LatencyReport
import LinkModel
import Testing

@Suite struct ExperimentAnalysisTests {
  @Test func aKnownAnswerIsFound() throws {
    let results = SampleExperiment.clear
    let headline = try #require(results.comparisons.first)
    #expect(headline.metric == .excessP95)
    #expect((headline.baseline, headline.arm) == ("h2", "h3"))
    #expect(headline.judgement.finding == .armBetter)
    #expect(headline.differences.count == 10)
    let difference = try #require(headline.judgement.difference)
    #expect(isNear(difference.median, 35.5, within: 0.05))
    // The second and the ninth of 31, 32, … 40.
    #expect(isNear(difference.interval.low, 32, within: 0.05) && isNear(difference.interval.high, 39, within: 0.05))
    #expect(headline.role == .primary)
    #expect(results.comparisons.allSatisfy { ($0.role == .primary) == ($0.metric == .excessP95) })
    let h3 = try #require(results.arms.first { $0.name == "h3" })
    let summary = try #require(h3.summary.first { $0.metric == .excessP95 })
    #expect(isNear(summary.median, 10, within: 0.02))
    #expect(summary.runs == 10)
  }

  @Test func resultsDependOnTheRunsAloneAndNotOnTheirOrder() {
    let description = SampleExperiment.description()
    let runs = SampleExperiment.runs(["h2", "h3"], repetitions: 8) { arm, repetition in
      Double((repetition * 7) % 5) + (arm == "h2" ? 20 : 4)
    }
    let results = ExperimentAnalysis.results(description, runs: runs)
    #expect(ExperimentAnalysis.results(description, runs: runs.reversed()) == results)
    #expect(ExperimentAnalysis.results(description, runs: runs) == results)
  }

  @Test func theWarmUpIsDiscardedByTheRule() {
    let results = SampleExperiment.clear
    #expect(results.discarded.map(\.repetition) == [-1, -1])
    #expect(results.discarded.allSatisfy { $0.rule.contains("warm-up") })
    #expect(results.arms.allSatisfy { $0.runs.count == 10 && $0.runs.allSatisfy { $0.repetition >= 0 } })
  }

  /// While a connection stalls, its server cannot write: such a run is what is to be measured.
  @Test func aServerThatIsHeldUpForATimeKeepsItsRun() throws {
    var runs = SampleExperiment.runs(["h2", "h3"], repetitions: 10) { _, _ in 10 }
    for place in runs[0].client.events.indices.prefix(runs[0].client.events.count / 3) {
      runs[0].client.events[place].written = runs[0].client.events[place].scheduled + 2_000_000_000
    }
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs)
    #expect(results.discarded.allSatisfy { $0.repetition < 0 })
  }

  @Test func noBudgetIsKeptByRunsInWhichNothingCame() throws {
    var runs = SampleExperiment.runs(["h3"], repetitions: 10) { _, _ in 10 }
    let mute = try #require(runs.firstIndex { $0.repetition == 3 })
    runs[mute].client.openings = []
    for place in runs[mute].client.events.indices { runs[mute].client.events[place].received = nil }
    var description = SampleExperiment.description(arms: [ArmDescription(name: "h3", label: "HTTP/3")])
    description.budgets = [try Budget(parsing: "h3:excessP99<150ms")]
    let results = ExperimentAnalysis.results(description, runs: runs)
    #expect(results.budgets.map(\.isKept) == [false])
    #expect(results.arms.first?.runsWithoutEvents == 1)
  }

  @Test func aDiscardedRunTakesItsPairAlong() throws {
    var runs = SampleExperiment.runs(["h2", "h3"], repetitions: 10) { arm, _ in arm == "h2" ? 50 : 10 }
    let slow = try #require(runs.firstIndex { $0.arm == "h3" && $0.repetition == 4 })
    for place in runs[slow].client.events.indices {
      runs[slow].client.events[place].written = runs[slow].client.events[place].scheduled + 21_000_000
    }
    let late = try #require(runs.firstIndex { $0.arm == "h2" && $0.repetition == 5 })
    for place in runs[late].packets.indices {
      runs[late].packets[place].left = runs[late].packets[place].due.map { $0 + 11_000_000 }
    }
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs)
    let kept = results.discarded.filter { $0.repetition >= 0 }
    #expect(kept.map(\.repetition) == [4, 5])
    #expect(kept[0].rule.contains("21 ms late") && kept[0].rule.contains("5 ms"))
    #expect(kept[1].rule.contains("link was 11 ms late"))
    #expect(results.comparison(.excessP95)?.differences.map(\.repetition) == [0, 1, 2, 3, 6, 7, 8, 9])
    #expect(results.arms.map(\.runs.count) == [9, 9])
  }

  @Test func aRunThatFailedMidwayIsKeptWithItsMissingEvents() throws {
    var runs = SampleExperiment.runs(["h2", "h3"], repetitions: 6) { _, _ in 10 }
    let broken = try #require(runs.firstIndex { $0.arm == "h3" && $0.repetition == 2 })
    for place in 20..<40 {
      runs[broken].client.events[place].received = nil
      runs[broken].client.events[place].written = nil
    }
    runs[broken].client.failure = "the deadline passed"
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs)
    let run = try #require(results.arms.first { $0.name == "h3" }?.runs.first { $0.repetition == 2 })
    #expect(run.failure == "the deadline passed")
    #expect(run.values[.lostEvents] == 20)
    #expect(isNear(run.values[.excessMax], 575))
    #expect(results.header.honesty.contains { $0.contains("HTTP/3 20 (1 run not whole)") })
  }

  @Test func anArmOverWhichNothingCameIsSaidSoAndTheFallbackSpeaksForIt() throws {
    var link = Sample.link()
    link.toClient.blocksUDP = true
    var runs = SampleExperiment.runs(["h3", "auto", "h2"], repetitions: 12) { _, _ in 1 }
    for place in runs.indices where runs[place].arm == "h3" {
      runs[place].client.openings[0].firstEvent = nil
      for event in runs[place].client.events.indices { runs[place].client.events[event].received = nil }
      runs[place].client.failure = "no answer"
    }
    for place in runs.indices where runs[place].arm == "auto" {
      runs[place].client.spoken = "h1"
      runs[place].client.openings[0].firstEvent = runs[place].client.openings[0].requested + 400_000_000
    }
    let arms = [
      ArmDescription(name: "h3", label: "HTTP/3"), ArmDescription(name: "auto", label: "HTTP/3 or 1.1"),
      ArmDescription(name: "h2", label: "HTTP/2"),
    ]
    let description = SampleExperiment.description(Sample.scenario(link, name: "udp-blocked"), arms: arms)
    let results = ExperimentAnalysis.results(description, runs: runs)
    #expect(results.arms.first?.runsWithoutEvents == 12)
    #expect(results.discarded.contains { $0.rule == "nothing came: no answer" })
    #expect(results.comparison(.firstEventCold, arm: "auto")?.judgement.finding == .baselineBetter)
    #expect(
      results.header.verdict
        == "On udp-blocked with 8 streams, nothing came over HTTP/3 in 12 of 12 runs; HTTP/3 or 1.1's time to first event, "
        + "cold was 300 ms higher than HTTP/2's (median of 12 pairs of 1 seed, 95 % interval 300 to 300 ms).")
  }

  @Test func runsInWhichNothingCameAreInTheVerdict() throws {
    var runs = SampleExperiment.runs(["h2", "h3"], repetitions: 12) { arm, _ in arm == "h2" ? 50 : 10 }
    let silent = try #require(runs.firstIndex { $0.arm == "h3" && $0.repetition == 3 })
    runs[silent].client.openings = []
    for place in runs[silent].client.events.indices { runs[silent].client.events[place].received = nil }
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs)
    #expect(
      results.header.verdict.hasPrefix(
        "On loss-2 with 8 streams, nothing came over HTTP/3 in 1 of 12 runs; HTTP/3's p95 excess latency was 40 ms lower"
      ))
    #expect(results.comparisons.first?.differences.count == 11)
  }

  @Test func aRunThatIsThereTwiceCountsOnce() {
    let runs = SampleExperiment.runs(["h2", "h3"], repetitions: 5) { _, _ in 1 }
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs + runs.suffix(1))
    #expect(results.arms.map(\.runs.count) == [5, 5])
    #expect(results.discarded.contains { $0.rule.contains("already") })
  }

  @Test func withoutAnyRunThereAreResultsAllTheSame() {
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: [])
    #expect(results.comparisons.isEmpty)
    #expect(!results.header.verdict.isEmpty)
    #expect(results.header.honesty.count >= 10)
    let alone = ExperimentAnalysis.results(
      SampleExperiment.description(arms: []), runs: SampleExperiment.runs(["h9"], repetitions: 2) { _, _ in 3 })
    #expect(alone.header.verdict.contains("h9's p95 excess latency was 3 ms (median of 2 runs"))
  }

  @Test func realisedLossIsPooledAndJudged() throws {
    // One of 40 packets in each of ten runs: 2.5 % of 400, and 2 % was configured.
    let loss = try #require(SampleExperiment.clear.arms.first?.realisedLoss.first)
    #expect(loss.direction == .toClient)
    #expect((loss.packets, loss.lost) == (400, 10))
    #expect(loss.isAsConfigured == true)
    #expect(loss.drops == ["loss": 10])
    let wrong = ExperimentAnalysis.results(
      SampleExperiment.description(Sample.scenario(Sample.link(loss: .bernoulli(rate: 0.2, longestBurst: nil)))),
      runs: SampleExperiment.runs(["h2", "h3"], repetitions: 10) { _, _ in 1 })
    #expect(wrong.arms.first?.realisedLoss.first?.isAsConfigured == false)
    #expect(wrong.header.honesty.first?.contains("NOT as configured") == true)
  }

  @Test func theHeadlinesMetricIsTheScenarios() {
    let rules = ExperimentRules()
    #expect(rules.headline(of: Sample.scenario()) == .excessP95)
    #expect(rules.headline(of: Sample.scenario(downloadBytes: 1)) == .downloadTime)
    var outage = Sample.link()
    outage.toClient.outages = [Outage(startMilliseconds: 1, durationMilliseconds: 1)]
    #expect(rules.headline(of: Sample.scenario(outage)) == .reconnectGap)
    var blocked = Sample.link()
    blocked.toServer.blocksUDP = true
    #expect(rules.headline(of: Sample.scenario(blocked)) == .firstEventCold)
    #expect(ExperimentRules(headlineMetric: .excessP50).headline(of: Sample.scenario(blocked)) == .excessP50)
  }
}
