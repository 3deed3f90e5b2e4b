/// Holm's correction of several tests (Scandinavian Journal of Statistics, 1979): with it, that any true hypothesis of a
/// family is rejected has the probability of one test alone.
enum Holm {
  /// The corrected probabilities, in the order of the tests.
  static func adjusted(_ probabilities: [Double]) -> [Double] {
    var adjusted = probabilities
    var largest = 0.0
    let order = probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
    for (rank, place) in order.enumerated() {
      largest = max(largest, min(1, probabilities[place] * Double(probabilities.count - rank)))
      adjusted[place] = largest
    }
    return adjusted
  }
}
