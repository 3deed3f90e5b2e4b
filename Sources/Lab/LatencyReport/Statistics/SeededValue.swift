/// A number with the seed that its run was made with: what shares a seed may not be independent.
package struct SeededValue: Hashable, Sendable {
  package var seed: UInt64
  package var value: Double

  package init(seed: UInt64, value: Double) {
    self.seed = seed
    self.value = value
  }
}
