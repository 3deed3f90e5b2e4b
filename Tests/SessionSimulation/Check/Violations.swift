/// The violations that were found, in order.
struct Violations {
  /// Enough to see what is wrong.
  private static let limit = 20

  private(set) var sentences: [String] = []

  /// - Parameter invariant: its number; nil for one of the ledger or of the backends.
  mutating func add(_ invariant: Int?, _ sentence: @autoclosure () -> String) {
    guard sentences.count < Self.limit else { return }
    sentences.append(invariant.map { "invariant \($0): \(sentence())" } ?? "ledger: \(sentence())")
  }

  /// - Parameter isKept: what must hold.
  mutating func require(_ isKept: Bool, _ invariant: Int?, _ sentence: @autoclosure () -> String) {
    if !isKept { add(invariant, sentence()) }
  }
}
