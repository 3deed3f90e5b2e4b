import LatencyReport
import LinkModel
import Testing

@Suite struct CostMetricsTests {
  @Test func costIsForAThousandEventsReceived() {
    let packets = [
      Sample.packet(0, .toServer, at: 0, bytes: 1200), Sample.packet(1, at: 1, bytes: 300, dropped: .loss),
      Sample.packet(2, at: 2, bytes: 500), Sample.packet(3, at: 3, bytes: 90, transport: .other),
    ]
    let client = Sample.client(events: Sample.stream(latencies: [25, 25, 25, nil]), cpuSeconds: 0.3)
    let values = Sample.values(client, packets: packets, serverCPUSeconds: 0.6)
    #expect(isNear(values[.packetsPerThousandEvents], 1000))
    #expect(isNear(values[.bytesPerThousandEvents], 2_000_000 / 3.0))
    #expect(isNear(values[.clientCPUPerThousandEvents], 100))
    #expect(isNear(values[.serverCPUPerThousandEvents], 200))
  }

  @Test func aDuplicateMadeByTheLinkIsNoCostOfTheArm() {
    var copy = Sample.packet(0, at: 1)
    copy.cause = .duplicated
    let client = Sample.client(events: Sample.stream(latencies: [25]))
    #expect(isNear(Sample.values(client, packets: [Sample.packet(0, at: 1), copy])[.packetsPerThousandEvents], 1000))
  }

  @Test func realisedLossIsOfThePacketsThatReachedTheRandomStage() {
    // Ten toward the client: two fell to an outage before the stage, one to a full queue after it, two at random.
    let causes: [PacketLogEntry.Cause?] = [.outage, .outage, .queueFull, .loss, .weather, nil, nil, nil, nil, nil]
    let packets = causes.enumerated().map { Sample.packet($0.offset, at: Double($0.offset), dropped: $0.element) }
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [25])), packets: packets)
    #expect(isNear(values[.realisedLossToClient], 25))
    #expect(values[.realisedLossToServer] == nil)
  }

  @Test func theServersLatenessIsOfEventsItCouldWriteInTime() {
    // Due before its stream was open (-400), on time, 3 ms late, and one that a reconnect delayed.
    let events = [
      Sample.event(0, due: -450, latency: 200, writtenLate: 150), Sample.event(1, due: 0, latency: 25),
      Sample.event(2, due: 20, latency: 28, writtenLate: 3), Sample.event(3, due: 40, latency: 400, writtenLate: 375),
      Sample.event(4, due: 500, latency: 25, writtenLate: 1),
    ]
    let reconnects = [
      ClientRecord.Reconnect(
        stream: 0, noticed: Sample.nanoseconds(300), lastEvent: Sample.nanoseconds(48),
        nextEvent: Sample.nanoseconds(440))
    ]
    let values = Sample.values(Sample.client(events: events, reconnects: reconnects))
    #expect(isNear(values[.serverLatenessP99], 3))
  }

  @Test func whatWaitedForAToolIsNotTheServersLateness() {
    let events = [
      Sample.event(0, due: 0, latency: 25), Sample.event(1, due: 20, latency: 27, writtenLate: 2),
      Sample.event(2, due: 90, latency: 125, writtenLate: 100),
    ]
    let values = Sample.values(Sample.client(events: events), toolSequence: 1)
    #expect(isNear(values[.serverLatenessP99], 2))
    // The tool was asked for at 47 and the next event came at 215.
    #expect(isNear(values[.toolRoundTrip], 168))
  }

  @Test func aDownloadHasATimeAndAGoodput() {
    let body = EventRecord(
      stream: 0, sequence: 0, scheduled: Sample.nanoseconds(-500), written: Sample.nanoseconds(-500),
      received: Sample.nanoseconds(1500))
    let values = Sample.values(
      Sample.client(events: [body], ended: 1500), scenario: Sample.scenario(downloadBytes: 1_000_000))
    #expect(isNear(values[.downloadTime], 2))
    #expect(isNear(values[.goodput], 4))
    #expect(values[.excessP50] == nil)
    #expect(values[.clientCPUPerThousandEvents] == nil)
  }

  @Test func aDownloadThatDidNotEndTookUntilTheEndAtLeast() {
    let body = EventRecord(
      stream: 0, sequence: 0, scheduled: Sample.nanoseconds(0), written: nil, received: nil)
    let values = Sample.values(
      Sample.client(events: [body], ended: 8000), scenario: Sample.scenario(downloadBytes: 1_000_000))
    #expect(isNear(values[.downloadTime], 8))
    #expect(values[.goodput] == 0)
    #expect(values[.lostEvents] == 1)
  }
}
