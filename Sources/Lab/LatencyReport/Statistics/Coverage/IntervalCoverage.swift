import Foundation
import LinkModel

/// The coverage of 95 % intervals over samples drawn from known populations.
///
/// Values of one seed are correlated by a common normal draw, through which a value's rank in the population is found: each
/// value alone has the population's distribution, whatever the correlation.
package struct IntervalCoverage: Sendable {
  /// A size of sample, and how much values of one seed have in common.
  package struct Design: Hashable, Sendable {
    package var values: Int
    package var seeds: Int
    package var correlation: Double

    package init(values: Int, seeds: Int, correlation: Double) {
      self.values = values
      self.seeds = seeds
      self.correlation = correlation
    }
  }

  /// The shares of samples whose interval holds the truth.
  package struct Row: Sendable {
    package var design: Design
    /// The coverage of `MedianTest`: the worst measured population, the worst of all, and the median population.
    package var worstMeasured: Double
    package var worst: Double
    package var typical: Double
    /// The coverage of Student's t of the seeds' means, for comparison: the worst measured population.
    package var worstOfMeans: Double
  }

  /// Independent values, and five seeds.
  package static let designs: [Design] =
    [10, 15, 30].map { Design(values: $0, seeds: $0, correlation: 0) }
    + [10, 15, 20, 30].flatMap { values in
      [0, 0.1, 0.3, 1].map { Design(values: values, seeds: 5, correlation: $0) }
    }

  private let populations: [CoveragePopulation]
  private let samples: Int
  private let seed: UInt64

  package init(_ populations: [CoveragePopulation], samples: Int, seed: UInt64) {
    self.populations = populations.filter { !$0.values.isEmpty }
    self.samples = max(1, samples)
    self.seed = seed
  }

  package func row(_ design: Design) -> Row {
    let all = populations.map { population in (isAdverse: population.isAdverse, held: held(of: population, design)) }
    let measured = all.filter { !$0.isAdverse }.map { $0.held }
    return Row(
      design: design, worstMeasured: measured.map { $0.median }.min() ?? 1,
      worst: all.map { $0.held.median }.min() ?? 1,
      typical: Quantile.median(all.map { $0.held.median }) ?? 1, worstOfMeans: measured.map { $0.mean }.min() ?? 1)
  }

  private func held(of population: CoveragePopulation, _ design: Design) -> (median: Double, mean: Double) {
    var generator = LinkGenerator(seed: seed, purpose: "\(population.name) \(design.values) \(design.seeds)")
    let (median, mean) = (population.median, population.mean)
    let t = Tail.studentQuantile(tail: MedianTest.level / 2, degrees: design.seeds - 1)
    var (heldMedian, heldMean) = (0, 0)
    for _ in 0..<samples {
      let sample = draw(population, design, &generator)
      if MedianTest(sample)?.interval.contains(median) == true { heldMedian += 1 }
      if Self.intervalOfMeans(sample, t: t).contains(mean) { heldMean += 1 }
    }
    return (Double(heldMedian) / Double(samples), Double(heldMean) / Double(samples))
  }

  private func draw(
    _ population: CoveragePopulation, _ design: Design, _ generator: inout LinkGenerator
  ) -> [SeededValue] {
    let common = (0..<design.seeds).map { _ in Self.normal(&generator) }
    return (0..<design.values).map { place in
      let seed = place % design.seeds
      let normal =
        design.correlation.squareRoot() * common[seed]
        + (1 - design.correlation).squareRoot() * Self.normal(&generator)
      let rank = Int(0.5 * erfc(-normal / 2.0.squareRoot()) * Double(population.values.count))
      return SeededValue(
        seed: UInt64(seed), value: population.values[min(max(rank, 0), population.values.count - 1)])
    }
  }

  private static func intervalOfMeans(_ sample: [SeededValue], t: Double) -> Interval {
    var sums: [(sum: Double, count: Double)] = []
    for value in sample {
      // Seeds are counted from 0 here, and the first of each come first.
      let place = Int(value.seed)
      if place == sums.count { sums.append((0, 0)) }
      sums[place].sum += value.known.low
      sums[place].count += 1
    }
    let means = sums.map { $0.sum / $0.count }
    let mean = means.reduce(0, +) / Double(means.count)
    let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, means.count - 1))
    let half = t * (variance / Double(means.count)).squareRoot()
    return Interval(low: mean - half, high: mean + half)
  }

  private static func normal(_ generator: inout LinkGenerator) -> Double {
    (-2 * log(1 - generator.unit())).squareRoot() * cos(2 * .pi * generator.unit())
  }

  /// The table of the lab's documentation.
  package var markdown: String {
    let measured = populations.count { !$0.isAdverse }
    let head = """
      Coverage of 95 % intervals in percent: \(samples) samples of each of \(measured) measured and \
      \(populations.count - measured) adverse populations, seed \(seed).

      | pairs | seeds | correlation in a seed | worst measured | worst of all | median population | means, t: worst measured |
      |--:|--:|--:|--:|--:|--:|--:|
      """
    let rows = Self.designs.map { design in
      let row = row(design)
      let shares = [row.worstMeasured, row.worst, row.typical, row.worstOfMeans].map {
        NumberText.fixed($0 * 100, decimals: 1)
      }
      return "| \(design.values) | \(design.seeds) | \(NumberText.shortest(design.correlation)) | "
        + shares.joined(separator: " | ") + " |"
    }
    return ([head] + rows).joined(separator: "\n")
  }
}
