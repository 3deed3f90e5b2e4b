import LinkEmulator
import Testing

@Suite struct BinomialCountsTests {
  /// The counts of 10 throws of a coin can be added up by hand: 1/1024 for 0, 11/1024 for up to 1.
  @Test func aFewThrowsOfACoin() {
    #expect(BinomialCounts.counts(trials: 10, probability: 0.5, confidence: 0.99) == 1...9)
  }

  /// The normal approximation gives 400 ± 2.576 * 19.8.
  @Test func manyPackets() {
    let interval = BinomialCounts.counts(trials: 20_000, probability: 0.02, confidence: 0.99)
    #expect((347...351).contains(interval.lowerBound))
    #expect((450...454).contains(interval.upperBound))
  }

  @Test func certainties() {
    #expect(BinomialCounts.counts(trials: 0, probability: 0.5, confidence: 0.99) == 0...0)
    #expect(BinomialCounts.counts(trials: 7, probability: 0, confidence: 0.99) == 0...0)
    #expect(BinomialCounts.counts(trials: 7, probability: 1, confidence: 0.99) == 7...7)
  }

  @Test func mathisFormula() {
    let expected = Calibration.LossyThroughput.expected(lossRate: 0.01, roundTripMilliseconds: 50)
    #expect(abs(expected - 2_826_496) < 1)
    #expect(Calibration.LossyThroughput.expected(lossRate: 0, roundTripMilliseconds: 50) == 0)
  }
}
