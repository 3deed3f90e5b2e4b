import Foundation
import LatencyReport
import LinkModel
import Testing

@Suite struct ResultsComparisonTests {
  private func results(_ arms: [String], excess: @escaping (String, Int) -> Double) -> ExperimentResults {
    ExperimentAnalysis.results(
      SampleExperiment.description(arms: arms.map { ArmDescription(name: $0, label: $0) }),
      runs: SampleExperiment.runs(arms, repetitions: 12, excess: excess))
  }

  @Test func mediansIntervalsAndRatioStandSideBySide() throws {
    let first = results(["h3", "h2"]) { arm, repetition in (arm == "h3" ? 10 : 40) + Double(repetition) / 10 }
    let second = results(["h3", "h1"]) { _, repetition in 20 + Double(repetition) / 10 }
    let comparison = ResultsComparison(first, second)
    let row = try #require(comparison.rows.first { $0.metric == .excessP95 })
    #expect(row.arm == "h3")
    #expect(isNear(row.ratio, 20.55 / 10.55, within: 0.01))
    #expect(row.intervalsAreApart)
    #expect(row.secondIsBetter == false)
    #expect(comparison.armsInOneAlone == ["h1", "h2"])
    #expect(comparison.warnings.isEmpty)
    #expect(comparison.rows.allSatisfy { $0.arm == "h3" })
    #expect(!(try JSONEncoder().encode(comparison)).isEmpty)
  }

  @Test func theSameTwiceIsApartNowhere() {
    let comparison = ResultsComparison(SampleExperiment.clear, SampleExperiment.clear)
    #expect(!comparison.rows.isEmpty)
    #expect(comparison.rows.allSatisfy { !$0.intervalsAreApart && $0.secondIsBetter == nil && ($0.ratio ?? 1) == 1 })
    #expect(comparison.text.contains("overlap"))
    #expect(!comparison.text.contains("apart"))
  }

  @Test func whatDiffersBesidesIsAWarning() {
    var other = SampleExperiment.clear
    other.scenario.link = Sample.link(delay: 50)
    other.scenario.streams = 1
    other.header.provenance.kernel = "7.0"
    other.header.provenance.isSimulated = true
    #expect(ResultsComparison(SampleExperiment.clear, other).warnings.count == 4)
  }

  @Test func theTableIsAligned() throws {
    let first = results(["h3"]) { _, _ in 10 }
    let second = results(["h3"]) { _, _ in 5 }
    let lines = ResultsComparison(first, second).text.split(separator: "\n").map(String.init)
    let head = try #require(lines.first { $0.hasPrefix("arm") })
    let row = try #require(lines.first { $0.contains("p95 excess latency") })
    #expect(row.contains("10 ms [10, 10]"))
    #expect(row.hasSuffix("apart: second better"))
    let column = head.range(of: "second / first").map { head.distance(from: head.startIndex, to: $0.lowerBound) }
    #expect(row.dropFirst(try #require(column)).hasPrefix("0.5 "))
  }

  @Test func nothingInCommonIsSaid() {
    let text = ResultsComparison(results(["h3"]) { _, _ in 1 }, results(["h2"]) { _, _ in 1 }).text
    #expect(text.contains("only in one of the two: h2, h3"))
    #expect(text.contains("nothing that both have"))
  }
}
