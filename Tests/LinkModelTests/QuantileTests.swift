import LinkModel
import Testing

struct QuantileTests {
  @Test(arguments: [
    (quantile: 0.0, count: 20, rank: 1), (0.05, 20, 1), (0.051, 20, 2), (0.5, 20, 10), (0.95, 20, 19), (0.99, 20, 20),
    (1.0, 20, 20), (0.5, 1, 1), (0.5, 3, 2), (0.999, 1_000, 999), (0.9991, 1_000, 1_000), (-1.0, 4, 1), (7.0, 4, 4),
  ])
  func aRankIsTheFirstThatCoversTheShare(_ row: (quantile: Double, count: Int, rank: Int)) {
    #expect(Quantile.rank(row.quantile, of: row.count) == row.rank)
  }

  @Test func aQuantileIsOneOfTheValues() {
    #expect(Quantile.nearestRank(0.5, sorted: [10, 20, 30, 40]) == 20)
    #expect(Quantile.nearestRank(0.51, sorted: [10, 20, 30, 40]) == 30)
    #expect(Quantile.nearestRank(0.5, sorted: [Int]()) == nil)
  }

  @Test func theMedianOfAnEvenNumberIsBetweenTheTwoMiddleValues() {
    #expect(Quantile.median([3, 1, 2]) == 2)
    #expect(Quantile.median([4, 1, 2, 3]) == 2.5)
    #expect(Quantile.median([]) == nil)
  }
}
