import LatencyReport
import LinkModel
import Testing

/// Properties of every record, tried on records of a printed seed.
@Suite struct MetricPropertyTests {
  private static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// Three streams of 60 events, some late, some lost, with a packet for each event.
  private func record(_ seed: UInt64) -> RunRecord {
    var generator = LinkGenerator(seed: seed)
    var events: [EventRecord] = []
    var packets = [Sample.packet(0, .toServer, at: -500)]
    for stream in 0..<3 {
      var arrival = 0.0
      for place in 0..<60 {
        let due = Double(place) * 20 + Double(stream) * 3
        let late = Int.random(in: 0..<10, using: &generator) == 0 ? Double.random(in: 0..<400, using: &generator) : 0.7
        arrival = max(arrival, due + 25 + late)
        let isLost = place > 55 && stream == 2
        events.append(Sample.event(place, stream: stream, due: due, latency: isLost ? nil : arrival - due))
        packets.append(
          Sample.packet(
            packets.count, at: due + 0.3, dropped: Int.random(in: 0..<20, using: &generator) == 0 ? .loss : nil))
      }
    }
    packets.sort { $0.entered < $1.entered }
    return Sample.run(Sample.client(events: events, ended: 3000), packets: packets)
  }

  private func values(_ record: RunRecord, link: LinkConditions = Sample.link()) -> [Metric: Double] {
    RunMeasurement(record, scenario: Sample.scenario(link)).metrics.values
  }

  private func isRising(_ lower: Double?, _ higher: Double?) -> Bool {
    guard let lower, let higher else { return false }
    return lower <= higher + 1e-6
  }

  private func expectSame(_ first: [Metric: Double], _ second: [Metric: Double], _ note: Comment) {
    #expect(Set(first.keys) == Set(second.keys), note)
    for (metric, value) in first { #expect(isNear(second[metric], value), "\(metric) \(note)") }
  }

  @Test(arguments: seeds) func anotherClockChangesNothing(_ seed: UInt64) {
    let record = record(seed)
    for shift: Int64 in [-900_000_000, 1, 86_400_000_000_000 * 30] {
      var moved = record
      moved.client = record.client.moved(by: shift)
      moved.packets = record.packets.map { $0.moved(by: shift) }
      expectSame(values(record), values(moved), "seed \(seed), shift \(shift)")
    }
  }

  @Test(arguments: seeds) func theOrderOfTheRecordChangesNothing(_ seed: UInt64) {
    let record = record(seed)
    var mixed = record
    mixed.client.events.reverse()
    expectSame(values(record), values(mixed), "seed \(seed)")
  }

  @Test(arguments: seeds) func percentilesRiseAndSharesFall(_ seed: UInt64) {
    let values = values(record(seed))
    let rising: [Metric] = [.excessP50, .excessP90, .excessP95, .excessP99, .excessP999, .excessMax]
    for (lower, higher) in zip(rising, rising.dropFirst()) {
      #expect(isRising(values[lower], values[higher]), "seed \(seed)")
    }
    #expect(isRising(values[.late100], values[.late50]))
    #expect(isRising(values[.late200], values[.late100]))
    #expect(isRising(values[.stalls200], values[.stalls100]))
    #expect(isRising(values[.stallLongest], values[.excessMax]), "seed \(seed)")
    let falling: [Metric] = [.stallRatio, .stallShare100, .stallShare200, .stallShare500]
    for (higher, lower) in zip(falling, falling.dropFirst()) {
      #expect(isRising(values[lower], values[higher]), "seed \(seed)")
    }
    #expect(isRising(values[.readerPauseTime5], values[.readerPauseTime10]), "seed \(seed)")
  }

  @Test(arguments: seeds) func aLaterEventMakesNothingBetter(_ seed: UInt64) throws {
    let record = record(seed)
    var later = record
    // The last event of the first stream, so that order is kept.
    let place = try #require(record.client.events.firstIndex { $0.stream == 0 && $0.sequence == 59 })
    later.client.events[place].received = later.client.events[place].received.map { $0 + 700_000_000 }
    let (before, after) = (values(record), values(later))
    for metric in [
      Metric.excessP99, .excessMax, .gapMax, .stalls500, .stallTime200, .stallRatio, .readerPauseTime5, .late200,
    ] {
      #expect(isRising(before[metric], after[metric]), "\(metric), seed \(seed)")
    }
  }

  @Test func nonsenseGivesNumbersAndNoTrap() {
    let extremes: [Int64] = [.min, -1, 0, 1, .max]
    let events = extremes.flatMap { time in
      extremes.map {
        EventRecord(stream: Int(truncatingIfNeeded: time), sequence: .max, scheduled: time, written: $0, received: $0)
      }
    }
    let packets = extremes.map {
      PacketLogEntry(
        number: .min, direction: .toClient, transport: .udp, bytes: Int(truncatingIfNeeded: $0), entered: $0, due: .max,
        left: .min, verdict: .delivered, queuedBytes: .max)
    }
    var client = Sample.client(events: events, duplicates: .max, cpuSeconds: .infinity)
    client.requested = .min
    client.start = .max
    client.openings = extremes.map { .init(stream: .min, kind: .cold, requested: $0, firstEvent: .max) }
    client.reconnects = extremes.map { .init(stream: .max, noticed: .min, lastEvent: $0, nextEvent: .max) }
    var link = Sample.link(delay: .infinity)
    link.toClient.outages = [
      Outage(startMilliseconds: -.infinity, durationMilliseconds: .nan, everyMilliseconds: 1e-300)
    ]
    link.rebinding = Rebinding(firstMilliseconds: -1e300, everyMilliseconds: 1e-9)
    for download in [nil, Int.max] {
      let scenario = Sample.scenario(link, eventBytes: .min, downloadBytes: download)
      let values = RunMeasurement(Sample.run(client, toolSequence: .max, packets: packets), scenario: scenario).metrics
        .values
      #expect(values.values.allSatisfy { $0.isFinite })
    }
  }
}

extension ClientRecord {
  fileprivate func moved(by shift: Int64) -> ClientRecord {
    var moved = self
    moved.requested += shift
    moved.connected = connected.map { $0 + shift }
    moved.start += shift
    moved.ended += shift
    moved.openings = openings.map {
      Opening(
        stream: $0.stream, kind: $0.kind, requested: $0.requested + shift, firstEvent: $0.firstEvent.map { $0 + shift })
    }
    moved.events = events.map {
      EventRecord(
        stream: $0.stream, sequence: $0.sequence, scheduled: $0.scheduled + shift,
        written: $0.written.map { $0 + shift }, received: $0.received.map { $0 + shift })
    }
    return moved
  }
}

extension PacketLogEntry {
  fileprivate func moved(by shift: Int64) -> PacketLogEntry {
    var moved = self
    moved.entered += shift
    moved.due = due.map { $0 + shift }
    moved.left = left.map { $0 + shift }
    return moved
  }
}
