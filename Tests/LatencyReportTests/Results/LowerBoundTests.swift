import Foundation
import LinkModel
import Testing

@testable import LatencyReport

@Suite struct LowerBoundTests {
  private static let deadline = 26_300.0

  /// Downloads by their times in seconds; nil: not whole at the deadline.
  private func download(h3: [Double?], h2: [Double?]) -> ExperimentResults {
    let arms: [(name: String, seconds: [Double?])] = [("h3", h3), ("h2", h2)]
    let runs = arms.flatMap { arm, times in
      times.enumerated().map { repetition, seconds in
        let body = Sample.event(0, due: 0, latency: seconds.map { $0 * 1_000 })
        let ended = seconds.map { $0 * 1_000 } ?? Self.deadline
        return Sample.run(
          Sample.client(events: [body], spoken: arm, ended: ended), arm: arm, repetition: repetition)
      }
    }
    return ExperimentAnalysis.results(
      SampleExperiment.description(Sample.scenario(name: "download", streams: 1, downloadBytes: 1_000_000)), runs: runs)
  }

  private func row(_ label: String, in markdown: String) throws -> String {
    let title = "**Reconnecting, falling back, completeness**"
    let section = try #require(markdown.firstRange(of: title)).upperBound
    return try #require(
      markdown[section...].split(separator: "\n").map(String.init).first { $0.hasPrefix("| \(label) ") })
  }

  @Test func aMedianThatRestsOnTheDeadlineIsAtLeastThat() throws {
    let results = download(h3: [19.6, 25, 22.4], h2: [nil, nil, nil])
    let report = MarkdownReport(results).source
    #expect(try row("HTTP/2", in: report).contains("| ≥ 26.3 (deadline, 3 of 3 runs) |"))
    #expect(try !row("HTTP/3", in: report).contains("deadline"))
    #expect(report.contains("Deadline: in these runs not every event came"))
    #expect(report.contains("(deadline: HTTP/2 in 3 of 3 pairs)"))
    let sweep = try #require(SweepReport([results], question: "?"))
    #expect(sweep.markdown.contains("≥ 26.3 (deadline, 3 of 3 runs)"))
    #expect(sweep.html.contains("≥ 26.3"))
  }

  @Test func aMedianOfRunsThatEndedIsExactAndSaysHowManyDidNot() throws {
    let report = MarkdownReport(download(h3: [14, 18, 14, 18, 16], h2: [19.4, nil, 20.1, nil, 23])).source
    let row = try row("HTTP/2", in: report)
    #expect(row.contains("| 23.0 [19.4, 26.3] (range of 5 runs) (deadline, 2 of 5 runs) |"))
    #expect(!report.contains("≥ 2"))
  }

  @Test func theVerdictSaysHowManyRunsEndedAtTheDeadline() {
    let verdict = download(h3: [14, 18, 14, 18, 16], h2: [19.4, nil, 20.1, nil, 23]).header.verdict
    #expect(
      verdict.hasSuffix("; 2 of 5 HTTP/2 runs ended at the deadline, so these count as lower bounds."))
    #expect(!SampleExperiment.clear.header.verdict.contains("deadline"))
  }

  @Test func whereAllCameNothingIsMarked() {
    let source = MarkdownReport(SampleExperiment.clear).source
    #expect(!source.contains("≥") && !source.lowercased().contains("deadline,"))
  }

  /// HTTP/3 never ended where HTTP/2 took 30 s: it has not won, although 26.3 s are less.
  @Test func aLowerBoundWinsNoPair() throws {
    let whole = Array(repeating: 30.0, count: 12).map(Optional.some)
    let cut = Array(repeating: Double?.none, count: 12)
    let won = download(h3: cut, h2: whole)
    #expect(won.comparison(.downloadTime)?.judgement.finding == .undecided)
    #expect(won.comparison(.downloadTime)?.differences.allSatisfy { $0.certainty == .atMost } == true)
    #expect(won.header.verdict.contains("-∞ to 3.7 s"))
    let neither = download(h3: cut, h2: cut)
    #expect(neither.comparison(.downloadTime)?.judgement.finding == .undecided)
    #expect(neither.comparison(.downloadTime)?.differences.first?.certainty == .unknown)
    _ = try JSONEncoder().encode([won, neither])
  }

  /// HTTP/2 never ended where HTTP/3 took 10 s: HTTP/3 has won by 16.3 s at least, and nobody knows by how much.
  @Test func aPairIsLostByARunThatNeverEnded() throws {
    let results = download(h3: Array(repeating: 10.0, count: 12), h2: Array(repeating: nil, count: 12))
    let difference = try #require(results.comparison(.downloadTime)?.judgement.difference)
    #expect(isNear(difference.median, 16.3) && isNear(difference.interval.low, 16.3))
    #expect(difference.interval.high == .infinity)
    #expect(MarkdownReport(results).source.contains("16.3 [16.3, ∞] s"))
    let text = String(decoding: try JSONEncoder().encode(results), as: UTF8.self)
    #expect(text.contains(#""certainty":"atLeast""#) && !text.contains("inf"))
  }

  /// Three of 40 events: the ranks are 20 of the median, 36 of p90, 38 of p95.
  @Test func aPercentileIsALowerBoundOnlyFromTheMissingEventsOn() {
    let latencies = (0..<40).map { $0 < 37 ? 30.0 : nil }
    let measurement = RunMeasurement(
      Sample.run(Sample.client(events: Sample.stream(latencies: latencies), ended: 16_000)),
      scenario: Sample.scenario())
    let bounds = Metric.allCases.filter(measurement.metrics.isLowerBound)
    #expect(
      bounds == [
        .excessP95, .excessP99, .excessP999, .excessMax, .stallTime200, .stallLongest, .stallShare100,
        .stallShare200, .stallShare500, .stallRatio, .readerPauseTime5, .readerPauseTime10, .reconnectGap,
        .downloadTime,
        .toolRoundTrip,
      ])
  }
}
