/// The violations that were found, in order.
package struct Violations {
  /// Enough to see what is wrong.
  private static let limit = 20

  package init() {}

  package private(set) var sentences: [String] = []

  /// - Parameter invariant: its number; nil for one of the ledger or of the backends.
  package mutating func add(_ invariant: Int?, _ sentence: @autoclosure () -> String) {
    guard sentences.count < Self.limit else { return }
    sentences.append(invariant.map { "invariant \($0): \(sentence())" } ?? "ledger: \(sentence())")
  }

  /// - Parameter isKept: what must hold.
  package mutating func require(_ isKept: Bool, _ invariant: Int?, _ sentence: @autoclosure () -> String) {
    if !isKept { add(invariant, sentence()) }
  }
}
