import LatencyReport
import LinkModel
import Testing

@Suite struct BlockingMetricsTests {
  /// One packet an event; it enters the link half a millisecond after the writing.
  private func packets(_ count: Int, dropping dropped: Set<Int> = []) -> [PacketLogEntry] {
    (0..<count).map { Sample.packet($0, at: Double($0) * 20 + 0.5, dropped: dropped.contains($0) ? .loss : nil) }
  }

  @Test func onAnEmptyLinkNothingIsBlocked() {
    let values = Sample.values(
      Sample.client(events: Sample.stream(latencies: [26, 26, 26])), packets: packets(3))
    #expect(values[.blockedEvents] == 0)
    #expect(values[.blockedTime] == 0)
    #expect(values[.recoveryP50] == nil)
  }

  @Test func oneDropIsARecoveryAndBlocksWhatCameBehindIt() {
    // The second packet, written at 20, is dropped at 20.5 and comes at 95.5: 75 ms or one and a half round trips.
    // The third left at 65.5 and the fourth at 85.5; both waited until 95.5. The fifth left at 105.5.
    let events = Sample.stream(latencies: [26, 75.5, 55.5, 35.5, 26])
    let values = Sample.values(Sample.client(events: events), packets: packets(5, dropping: [1]))
    #expect(isNear(values[.recoveryP50], 1.5))
    #expect(isNear(values[.recoveryP95], 1.5))
    #expect(values[.blockedEvents] == 2)
    #expect(isNear(values[.blockedTime], 40))
  }

  @Test func aDamagedPacketIsALostOne() {
    var packets = packets(1)
    packets[0].cause = .corrupted
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [100.5])), packets: packets)
    #expect(values[.blockedEvents] == 0)
    #expect(isNear(values[.recoveryP50], 2))
  }

  @Test func fiveMillisecondsAreNoBlocking() {
    let values = Sample.values(Sample.client(events: Sample.stream(latencies: [30.5])), packets: packets(1))
    #expect(values[.blockedEvents] == 0)
    let more = Sample.values(Sample.client(events: Sample.stream(latencies: [30.501])), packets: packets(1))
    #expect(more[.blockedEvents] == 1)
  }

  @Test func aPacketCarriesAsManyEventsAsItHasRoomFor() {
    // Four streams write at once: the first packet has room for three events of 100 bytes, the second is lost.
    let events = (0..<4).map { Sample.event(0, stream: $0, due: 0, latency: $0 < 3 ? 26 : 101) }
    let packets = [
      Sample.packet(0, at: 1, bytes: 46 + 3 * 106), Sample.packet(1, at: 1.1, bytes: 46 + 106, dropped: .loss),
    ]
    let run = RunMeasurement(Sample.run(Sample.client(events: events), packets: packets), scenario: Sample.scenario())
    #expect(run.metrics.attributedEvents == 4)
    #expect(run.metrics.values[.blockedEvents] == 0)
    #expect(isNear(run.metrics.values[.recoveryP50], 99.9 / 50))
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var packet: PacketLogEntry
    var attributed: Int?
  }

  @Test(arguments: [
    Row(testDescription: "at the writing", packet: Sample.packet(0, at: 0), attributed: 1),
    Row(testDescription: "before the writing", packet: Sample.packet(0, at: -0.001), attributed: 0),
    Row(testDescription: "5 ms later", packet: Sample.packet(0, at: 5), attributed: 1),
    Row(testDescription: "more than 5 ms later", packet: Sample.packet(0, at: 5.001), attributed: 0),
    Row(testDescription: "just large enough", packet: Sample.packet(0, at: 1, bytes: 152), attributed: 1),
    Row(testDescription: "too small", packet: Sample.packet(0, at: 1, bytes: 151), attributed: 0),
    Row(
      testDescription: "TCP, just large enough", packet: Sample.packet(0, at: 1, bytes: 168, transport: .tcp),
      attributed: 1),
    Row(testDescription: "TCP, too small", packet: Sample.packet(0, at: 1, bytes: 167, transport: .tcp), attributed: 0),
    Row(testDescription: "neither TCP nor UDP", packet: Sample.packet(0, at: 1, transport: .other), attributed: nil),
    Row(testDescription: "toward the server", packet: Sample.packet(0, .toServer, at: 1), attributed: 0),
  ])
  func anEventBelongsToTheFirstPacketAfterItThatCanCarryIt(_ row: Row) {
    let record = Sample.run(Sample.client(events: Sample.stream(latencies: [26])), packets: [row.packet])
    #expect(RunMeasurement(record, scenario: Sample.scenario()).metrics.attributedEvents == row.attributed)
  }

  @Test func withoutALogNothingIsSaid() {
    let metrics = RunMeasurement(
      Sample.run(Sample.client(events: Sample.stream(latencies: [26]))), scenario: Sample.scenario()
    ).metrics
    #expect(metrics.attributedEvents == nil)
    #expect(metrics.values[.blockedEvents] == nil)
    #expect(metrics.values[.packetsPerThousandEvents] == nil)
  }
}
