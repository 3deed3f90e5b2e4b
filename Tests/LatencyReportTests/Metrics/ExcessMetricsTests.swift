import LatencyReport
import LinkModel
import Testing

@Suite struct ExcessMetricsTests {
  @Test func percentilesAreNearestRanksFromTheSchedule() {
    // Excess 0.1, 0.2, … 2.0 ms over the configured 25: the nearest rank of p95 of 20 is the 19th.
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: (1...20).map { 25 + Double($0) / 10 })))
    #expect(isNear(values[.excessP50], 1.0, within: 0.0011))
    #expect(isNear(values[.excessP90], 1.8, within: 0.0011))
    #expect(isNear(values[.excessP95], 1.9, within: 0.0011))
    #expect(isNear(values[.excessP99], 2.0, within: 0.0011))
    #expect(isNear(values[.excessP999], 2.0, within: 0.0011))
    #expect(isNear(values[.excessMax], 2.0))
  }

  @Test func aStalledWriterHidesNothing() {
    let event = Sample.event(0, due: 100, latency: 325, writtenLate: 300)
    #expect(isNear(Sample.values(Sample.client(events: [event]))[.excessMax], 300))
  }

  @Test func theHistogramKeepsThreeDigits() {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [25, 25, 25, 1259.5, 6000])))
    #expect(isNear(values[.excessP90], 5975, within: 6))
    #expect(isNear(values[.excessMax], 5975))
  }

  @Test func eventsThatNeverCameCountUntilTheEnd() {
    // Due at 0, 20, 40, 60; the last two never came; the run ended at 1 000.
    let client = Sample.client(events: Sample.stream(latencies: [26, 26, nil, nil]), ended: 1000)
    let values = Sample.values(client)
    #expect(isNear(values[.excessMax], 935))
    #expect(isNear(values[.excessP50], 1, within: 0.0011))
    #expect(isNear(values[.excessP90], 935, within: 1))
    #expect(values[.lostEvents] == 2)
    #expect(values[.late50] == 50)
    #expect(values[.late200] == 50)
  }

  @Test func anEventThatNeverCameIsLateEvenIfItWasDueAtTheEnd() {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [25, nil]), ended: -10))
    #expect(values[.late200] == 50)
    #expect(values[.excessMax] == 0)
  }

  @Test func lateMeansMoreThanTheLimit() {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [75, 75.001, 125.5, 225.5])))
    #expect(values[.late50] == 75)
    #expect(values[.late100] == 50)
    #expect(values[.late200] == 25)
  }

  @Test func negativeExcessIsRaisedToZeroAndRemembered() {
    let record = Sample.run(Sample.client(events: Sample.stream(latencies: [24, 25, 26])))
    let metrics = RunMeasurement(record, scenario: Sample.scenario()).metrics
    #expect(isNear(metrics.rawMinimumExcess, -1))
    #expect(isNear(metrics.values[.excessP50], 0))
    #expect(isNear(metrics.values[.excessMax], 1))
  }

  @Test func theDelayTowardTheClientAloneIsSubtracted() {
    let link = LinkConditions(
      toClient: DirectionConditions(oneWayDelayMilliseconds: 40),
      toServer: DirectionConditions(oneWayDelayMilliseconds: 5))
    let values = Sample.values(
      Sample.client(events: Sample.stream(latencies: [41])), scenario: Sample.scenario(link))
    #expect(isNear(values[.excessMax], 1))
  }
}
