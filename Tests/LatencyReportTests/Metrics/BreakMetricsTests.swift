import LatencyReport
import LinkModel
import Testing

@Suite struct BreakMetricsTests {
  private func scenario(_ change: (inout LinkConditions) -> Void) -> ScenarioSummary {
    var link = Sample.link()
    change(&link)
    return Sample.scenario(link)
  }

  /// The link starts at -500; the first packet toward the server is what outages count from.
  private let packets = [Sample.packet(0, .toServer, at: -500)]

  @Test func aReconnectIsFromTheLastEventToTheNext() {
    let reconnects = [
      ClientRecord.Reconnect(
        stream: 0, noticed: Sample.nanoseconds(90), lastEvent: Sample.nanoseconds(45),
        nextEvent: Sample.nanoseconds(445)),
      ClientRecord.Reconnect(
        stream: 1, noticed: Sample.nanoseconds(90), lastEvent: nil, nextEvent: Sample.nanoseconds(300)),
    ]
    let client = Sample.client(events: Sample.stream(latencies: [25, 25]), reconnects: reconnects, duplicates: 3)
    let values = Sample.values(client)
    #expect(isNear(values[.reconnectGap], 400))
    #expect(values[.duplicateEvents] == 3)
    #expect(values[.lostEvents] == 0)
  }

  @Test func aReconnectWithoutANextEventLastsUntilTheEnd() {
    let reconnects = [
      ClientRecord.Reconnect(
        stream: 0, noticed: Sample.nanoseconds(90), lastEvent: Sample.nanoseconds(45), nextEvent: nil)
    ]
    let client = Sample.client(events: Sample.stream(latencies: [25, 25, nil]), ended: 1000, reconnects: reconnects)
    #expect(isNear(Sample.values(client)[.reconnectGap], 955))
  }

  @Test func anOutageIsSeenWithoutAReconnect() {
    // The outage lasts from 100 to 400. What was written before 100 came by 125, and the next event at 605.
    let events = (0..<30).map { place in
      let due = Double(place) * 20
      return Sample.event(place, due: due, latency: due < 100 ? 25 : max(25, 605 - due))
    }
    let scenario = scenario { $0.toClient.outages = [Outage(startMilliseconds: 600, durationMilliseconds: 300)] }
    let values = Sample.values(Sample.client(events: events), packets: packets, scenario: scenario)
    #expect(isNear(values[.reconnectGap], 500))
  }

  @Test func anOutageThatNeverEndedForTheStreamLastsUntilTheEnd() {
    let scenario = scenario { $0.toClient.outages = [Outage(startMilliseconds: 560, durationMilliseconds: 300)] }
    let client = Sample.client(events: Sample.stream(latencies: [25, 25, 25, nil]), ended: 1000)
    #expect(isNear(Sample.values(client, packets: packets, scenario: scenario)[.reconnectGap], 935))
  }

  @Test func aBreakAfterTheLastEventInterruptsNothing() {
    let scenario = scenario { $0.toClient.outages = [Outage(startMilliseconds: 1200, durationMilliseconds: 100)] }
    let client = Sample.client(events: Sample.stream(latencies: [25, 25, 25]), ended: 1000)
    #expect(Sample.values(client, packets: packets, scenario: scenario)[.reconnectGap] == nil)
  }

  @Test func theWorstOfRepeatedRebindingsCounts() {
    // Rebindings at 100 and 500; the second delays what is written at 500 by 60 ms.
    let events = (0..<40).map { place in
      let due = Double(place) * 20
      return Sample.event(place, due: due, latency: (500..<560).contains(due) ? 25 + (560 - due) : 25)
    }
    let scenario = scenario { $0.rebinding = Rebinding(firstMilliseconds: 600, everyMilliseconds: 400) }
    let values = Sample.values(Sample.client(events: events), packets: packets, scenario: scenario)
    #expect(isNear(values[.reconnectGap], 80))
  }
}
