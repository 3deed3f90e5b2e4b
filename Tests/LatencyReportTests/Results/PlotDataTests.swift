import Foundation
import LatencyReport
import LinkModel
import Testing

@Suite struct PlotDataTests {
  @Test func theDistributionRisesAndIsDenseInTheTail() throws {
    let distribution = try #require(SampleExperiment.clear.plots.distributions.first { $0.arm == "h2" })
    let points = distribution.points
    #expect(points.first?.quantile == 0)
    #expect(points.last?.quantile == 1)
    #expect(
      zip(points, points.dropFirst()).allSatisfy { $0.quantile < $1.quantile && $0.milliseconds <= $1.milliseconds })
    #expect(points.count { $0.quantile > 0.9 } >= 60)
    #expect(isNear(points.last?.milliseconds, 50))
  }

  @Test func theTimelinesAreOfTheMedianPair() {
    // The differences are 31, 33, …, 39, 32, …, 40 in an order of their own; the lower middle one is 35.
    let order = [31.0, 40, 35, 36, 33, 38, 32, 39, 34, 37]
    let results = ExperimentAnalysis.results(
      SampleExperiment.description(),
      runs: SampleExperiment.runs(["h3", "h2"], repetitions: 10) { $0 == "h2" ? 10 + order[$1] : 10 })
    #expect(results.plots.timelines.map(\.arm) == ["h3", "h2"])
    #expect(results.plots.timelines.allSatisfy { $0.repetition == 2 })
    let timeline = results.plots.timelines[0]
    #expect(timeline.events.count == 40)
    #expect(timeline.leftOut == 0)
    #expect(timeline.events[1] == PlotData.TimelineEvent(stream: 0, scheduled: 20, received: 55))
    #expect(timeline.drops == [PlotData.TimelineDrop(at: 140.2, direction: .toClient, cause: .loss)])
    #expect(timeline.delay.allSatisfy { $0.value == 25 })
  }

  @Test func aLongExperimentStaysSmallAndKeepsWhatWasLate() throws {
    let count = 20_000
    let runs = ["h3", "h2"].flatMap { arm in
      (0..<1).map { repetition in
        let latencies = (0..<count).map { place in place % 5000 == 4999 ? 400.5 : 26.123_456 + Double(place % 7) }
        let packets = (0..<count).map { Sample.packet($0, at: Double($0) * 20.017, dropped: $0 % 9 == 0 ? .loss : nil) }
        return Sample.run(
          Sample.client(events: Sample.stream(latencies: latencies), ended: 500_000), arm: arm, repetition: repetition,
          packets: packets)
      }
    }
    let results = ExperimentAnalysis.results(SampleExperiment.description(), runs: runs)
    for timeline in results.plots.timelines {
      #expect(timeline.events.count == 4000)
      #expect(timeline.leftOut == count - 4000)
      #expect(timeline.events.count { ($0.received ?? 0) - $0.scheduled > 400 } == 4)
      #expect(timeline.drops.count == 1000)
      #expect(timeline.queue.count <= 400 && timeline.delay.count <= 400)
    }
    let bytes = try JSONEncoder().encode(results).count
    #expect(bytes < 1_000_000, "\(bytes) bytes")
  }
}
