/// The size of the sample that a number rests on.
package struct SampleSize: Codable, Hashable, Sendable {
  package var seeds: Int
  /// Pairs of runs in a comparison, runs elsewhere.
  package var values: Int

  package init(seeds: Int, values: Int) {
    self.seeds = seeds
    self.values = values
  }

  init(_ values: [SeededValue]) {
    self.init(seeds: Set(values.map(\.seed)).count, values: values.count)
  }
}
