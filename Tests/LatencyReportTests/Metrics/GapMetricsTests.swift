import LatencyReport
import Testing

@Suite struct GapMetricsTests {
  @Test func gapsAreBetweenArrivalsOfAStream() {
    // Arrivals at 25, 45, 95, 96 in one stream and 1 025, 1 045 in the other.
    let events =
      Sample.stream(latencies: [25, 25, 55, 36]) + [
        Sample.event(0, stream: 1, due: 1000, latency: 25), Sample.event(1, stream: 1, due: 1020, latency: 25),
      ]
    let values = Sample.values(Sample.client(events: events, ended: 2000))
    #expect(isNear(values[.gapP50], 20))
    #expect(isNear(values[.gapMax], 50))
    #expect(isNear(values[.gapP99], 50))
    // Arrival gaps 20, 50, 1, 20 against write gaps of 20.
    #expect(isNear(values[.delayVariationMax], 30))
    #expect(isNear(values[.delayVariationP99], 30))
  }

  @Test func delayVariationIsTheNetworksAndNotTheWriters() {
    let events = [
      Sample.event(0, due: 0, latency: 25), Sample.event(1, due: 20, latency: 75, writtenLate: 50),
      Sample.event(2, due: 40, latency: 55, writtenLate: 30),
    ]
    let values = Sample.values(Sample.client(events: events))
    #expect(isNear(values[.delayVariationMax], 0))
    #expect(isNear(values[.gapMax], 70))
  }

  @Test func aGapOverAMissingEventIsAGapButNoVariation() {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [25, nil, 25])))
    #expect(isNear(values[.gapMax], 40))
    #expect(values[.delayVariationMax] == nil)
  }

  @Test func oneEventHasNoGap() {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [25])))
    #expect(values[.gapP50] == nil)
    #expect(values[.gapMax] == nil)
  }
}
