import Foundation
import LinkModel

/// Values that samples are drawn from, so that what an interval should hold is known.
package struct CoveragePopulation: Sendable {
  package let name: String
  /// The values in rising order.
  package let values: [Double]
  /// Whether it is made up to be worse than what was measured.
  package let isAdverse: Bool

  package init(name: String, values: [Double], isAdverse: Bool) {
    self.name = name
    self.values = values.sorted()
    self.isAdverse = isAdverse
  }

  var mean: Double { values.reduce(0, +) / Double(values.count) }
  var median: Double { Quantile.median(sorted: values) }

  /// The paired differences of an experiment in the metrics that verdicts are about, of at least eight pairs.
  package static func differences(of results: ExperimentResults, named name: String) -> [CoveragePopulation] {
    let metrics: Set<Metric> = [.excessP50, .excessP95, .excessP99, .excessMax, .reconnectGap, .downloadTime]
    return results.comparisons.filter { metrics.contains($0.metric) && $0.differences.count >= 8 }.map {
      CoveragePopulation(
        name: "\(name), \($0.baseline) - \($0.arm), \($0.metric.rawValue)", values: $0.differences.map(\.difference),
        isAdverse: false)
    }
  }

  /// Shapes that differences of latencies may have and that break other intervals.
  package static let adverse: [CoveragePopulation] = {
    let shares = (0..<2_000).map { (Double($0) + 0.5) / 2_000 }
    func spread(_ shares: ArraySlice<Double>, _ low: Double, _ high: Double) -> [Double] {
      shares.indices.map { low + (high - low) * Double($0 - shares.startIndex) / Double(shares.count) }
    }
    return [
      // e to the power of a normal's 1.5 sigma, by the logistic's quantiles, whose tails are heavier.
      CoveragePopulation(name: "long tail", values: shares.map { exp(0.83 * log($0 / (1 - $0))) }, isAdverse: true),
      CoveragePopulation(
        name: "one in ten a hundred times as large",
        values: spread(shares[..<1_800], 0, 1) + spread(shares[1_800...], 50, 150),
        isAdverse: true),
      CoveragePopulation(
        name: "two humps, 55 to 45", values: spread(shares[..<1_100], 0, 2) + spread(shares[1_100...], 40, 60),
        isAdverse: true),
      // Student's t of two degrees, by its quantiles: its variance is infinite.
      CoveragePopulation(
        name: "no variance", values: shares.map { (2 * $0 - 1) / (2 * $0 * (1 - $0)).squareRoot() }, isAdverse: true),
      CoveragePopulation(
        name: "seven in ten are 0", values: Array(repeating: 0, count: 1_400) + spread(shares[..<600], 1, 5),
        isAdverse: true),
    ]
  }()
}
