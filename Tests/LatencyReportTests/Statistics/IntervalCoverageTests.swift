import Foundation
import LatencyReport
import LinkModel
import Testing

/// The documentation's table of coverage on fewer samples: `latency-lab coverage` prints it whole.
@Suite struct IntervalCoverageTests {
  private static let samples = 120

  private static let populations: [CoveragePopulation] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tools/latency-lab/results")
    // One stream and eight, a shape with two humps and one with a long tail.
    let measured = ["loss-2-8-ours", "loss-5-8-caddy", "lone-50-ours", "loss-1-1-ours"].flatMap { name in
      (try? ResultsFile.read(folder.appendingPathComponent(name + "/results.json"))).map {
        Array(CoveragePopulation.differences(of: $0, named: name).prefix(3))
      } ?? []
    }
    return measured + CoveragePopulation.adverse
  }()

  @Test func measuredDifferencesAreAmongThePopulations() {
    #expect(Self.populations.count { !$0.isAdverse } >= 8)
  }

  /// Nominal less 2 points is 93 %; the smallest share of 120 samples that 93 % gives once in ten thousand is 82.5 %.
  @Test(arguments: [
    IntervalCoverage.Design(values: 10, seeds: 10, correlation: 0), .init(values: 15, seeds: 15, correlation: 0),
    .init(values: 30, seeds: 30, correlation: 0), .init(values: 10, seeds: 5, correlation: 0),
    .init(values: 15, seeds: 5, correlation: 0.3), .init(values: 30, seeds: 5, correlation: 0.3),
  ])
  func intervalsHoldTheMedianOfWhatTheyAreFrom(_ design: IntervalCoverage.Design) {
    let row = IntervalCoverage(Self.populations, samples: Self.samples, seed: 2026).row(design)
    #expect(row.worst >= 0.825, "seed 2026, \(design): \(row.worst)")
    #expect(row.typical >= 0.92, "seed 2026, \(design): \(row.typical)")
    // They are not so wide that anything would be held.
    #expect(row.typical < 1, "seed 2026, \(design): \(row.typical)")
  }

  @Test func theSameSeedGivesTheSameTable() {
    let few = Array(CoveragePopulation.adverse.prefix(2))
    let table = IntervalCoverage(few, samples: 20, seed: 9).markdown
    #expect(table == IntervalCoverage(few, samples: 20, seed: 9).markdown)
    #expect(table.split(separator: "\n").count { $0.hasPrefix("| ") } == 1 + IntervalCoverage.designs.count)
  }
}
