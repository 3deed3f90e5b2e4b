import LinkModel

/// One run in the shape that metrics are taken from: events by stream and in order, times as differences.
///
/// Nanoseconds are subtracted with wrapping, as a record may come from a foreign program and hold anything; nonsense
/// then gives a nonsensical number and not a trap.
struct RunTimes {
  let record: RunRecord
  let scenario: ScenarioSummary
  /// Each stream's events by sequence; the streams by number.
  let streams: [(stream: Int, events: [EventRecord])]
  /// Until when what never came was waited for: the client's end, at the earliest the last event's scheduled time.
  let end: Int64
  /// Packets of TCP and UDP, a duplicate left out: what the two ends put on the link, in the order they entered.
  let packets: [PacketLogEntry]

  init(_ record: RunRecord, scenario: ScenarioSummary) {
    self.record = record
    self.scenario = scenario
    streams = Dictionary(grouping: record.client.events, by: \.stream)
      .map { (stream: $0.key, events: $0.value.sorted { $0.sequence < $1.sequence }) }
      .sorted { $0.stream < $1.stream }
    end = record.client.events.reduce(record.client.ended) { max($0, $1.scheduled) }
    // A duplicate follows its original and has its number.
    var last: Int?
    packets = record.packets.filter { packet in
      guard packet.transport != .other, packet.number != last else { return false }
      last = packet.number
      return true
    }
  }

  /// The configured one-way delay toward the client: all that is subtracted from a latency.
  var oneWayDelayMilliseconds: Double { scenario.link.toClient.oneWayDelayMilliseconds }
  var roundTripMilliseconds: Double { scenario.link.roundTripMilliseconds }

  var receivedCount: Int { record.client.events.count { $0.received != nil } }

  /// Received − scheduled − configured one-way delay; for an event that never arrived, a lower bound.
  func excessMilliseconds(_ event: EventRecord) -> Double {
    guard let received = event.received else {
      return max(0, Self.milliseconds(from: event.scheduled, to: end) - oneWayDelayMilliseconds)
    }
    return Self.milliseconds(from: event.scheduled, to: received) - oneWayDelayMilliseconds
  }

  static func milliseconds(from start: Int64, to end: Int64) -> Double { Double(end &- start) / 1_000_000 }
}
