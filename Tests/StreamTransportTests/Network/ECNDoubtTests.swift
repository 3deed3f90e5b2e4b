import TestSupport
import Testing

@testable import StreamTransport

@Suite struct ECNDoubtTests {
  @Test func aServerThatWasMendedIsSentMarksAfterADay() {
    let clock = ManualClock()
    let tolerance = ECNTolerance(TransportClock(clock))
    #expect(tolerance.usesECN)
    tolerance.doubt()
    clock.advance(by: .seconds(86_399))
    #expect(!tolerance.usesECN)
    clock.advance(by: .seconds(1))
    #expect(tolerance.usesECN)
  }
}
