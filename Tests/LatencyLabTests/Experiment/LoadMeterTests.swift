import LatencyReport
import Testing

@testable import latency_lab

struct LoadMeterTests {
  @Test func stealIsTheEighthNumberOfTheFirstLine() throws {
    let ticks = try #require(
      LoadMeter.processorTicks("cpu  10 1 20 60 2 3 4 50 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n"))
    #expect(ticks == (150, 50))
    for text in ["", "cpu", "cpu  1 2 3", "cpu0 1 1 1 1 1 1 1 1", "cpu  a b c d e f g h"] {
      #expect(LoadMeter.processorTicks(text) == nil, "\(text)")
    }
  }

  @Test func pressureIsTheTotalOfSome() {
    let text = "some avg10=1.00 avg60=2.00 avg300=0.50 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"
    #expect(LoadMeter.waitedMicroseconds(text) == 123_456)
    for text in ["", "full total=9", "some avg10=1.00", "some total=x"] {
      #expect(LoadMeter.waitedMicroseconds(text) == nil, "\(text)")
    }
  }

  /// Whatever this machine can tell lies between nothing and all.
  @Test func theLoadIsAShare() {
    let load = LoadMeter().load
    for share in [load.stealPercent, load.pressurePercent].compactMap({ $0 }) { #expect((0...100).contains(share)) }
  }
}
