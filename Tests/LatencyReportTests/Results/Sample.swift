import LatencyReport
import LinkModel

/// Small records by hand: all times in milliseconds from the schedule's start, which is one second on the clock.
enum Sample {
  static let start: Int64 = 1_000_000_000

  static func nanoseconds(_ milliseconds: Double) -> Int64 { start + Int64((milliseconds * 1_000_000).rounded()) }

  /// An event that came `latency` after it was due, 25 ms on an empty link; nil: it never came.
  static func event(
    _ sequence: Int, stream: Int = 0, due: Double, latency: Double?, writtenLate: Double = 0
  ) -> EventRecord {
    EventRecord(
      stream: stream, sequence: sequence, scheduled: nanoseconds(due),
      written: latency == nil ? nil : nanoseconds(due + writtenLate), received: latency.map { nanoseconds(due + $0) })
  }

  /// A stream with an event each 20 ms, each with its latency.
  static func stream(_ stream: Int = 0, latencies: [Double?], every gap: Double = 20) -> [EventRecord] {
    latencies.enumerated().map { event($0.offset, stream: stream, due: Double($0.offset) * gap, latency: $0.element) }
  }

  static func client(
    events: [EventRecord], spoken: String = "h3", requested: Double = -500, connected: Double? = -440,
    ended: Double = 1000, openings: [ClientRecord.Opening]? = nil, reconnects: [ClientRecord.Reconnect] = [],
    duplicates: Int = 0, cpuSeconds: Double = 0.5, failure: String? = nil
  ) -> ClientRecord {
    ClientRecord(
      spoken: spoken, connections: 1, requested: nanoseconds(requested), connected: connected.map(nanoseconds),
      start: start, ended: nanoseconds(ended),
      openings: openings ?? [opening(.cold, requested: requested, firstEvent: requested + 100)], events: events,
      reconnects: reconnects, duplicates: duplicates, cpuSeconds: cpuSeconds, software: "sample 1", failure: failure)
  }

  static func opening(
    _ kind: ClientRecord.Opening.Kind, stream: Int = 0, requested: Double, firstEvent: Double?
  ) -> ClientRecord.Opening {
    ClientRecord.Opening(
      stream: stream, kind: kind, requested: nanoseconds(requested), firstEvent: firstEvent.map(nanoseconds))
  }

  static func run(
    _ client: ClientRecord, arm: String = "h3", repetition: Int = 0, seed: UInt64 = 7, toolSequence: Int? = nil,
    packets: [PacketLogEntry] = [], serverCPUSeconds: Double? = nil
  ) -> RunRecord {
    RunRecord(
      arm: arm, repetition: repetition, seed: seed, toolSequence: toolSequence, client: client, packets: packets,
      serverCPUSeconds: serverCPUSeconds, server: "ours")
  }

  /// A packet that leaves the link after 25 ms; dropped if there is a cause that drops.
  static func packet(
    _ number: Int, _ direction: LinkDirection = .toClient, at entered: Double, bytes: Int = 200,
    transport: PacketLogEntry.TransportProtocol = .udp, dropped cause: PacketLogEntry.Cause? = nil
  ) -> PacketLogEntry {
    PacketLogEntry(
      number: number, direction: direction, transport: transport, bytes: bytes, entered: nanoseconds(entered),
      due: cause == nil ? nanoseconds(entered + 25) : nil, left: cause == nil ? nanoseconds(entered + 25) : nil,
      verdict: cause == nil ? .delivered : .dropped, cause: cause ?? .none)
  }

  static func link(delay: Double = 25, loss: Loss? = nil) -> LinkConditions {
    var direction = DirectionConditions(oneWayDelayMilliseconds: delay)
    direction.loss = loss
    return LinkConditions(bothWays: direction)
  }

  static func scenario(
    _ link: LinkConditions = link(), name: String = "loss-2", streams: Int = 8, eventBytes: Int = 100,
    downloadBytes: Int? = nil
  ) -> ScenarioSummary {
    ScenarioSummary(
      name: name, about: "a sample", source: "made up", link: link, workload: "\(streams) streams of 50 tokens/s, 5 s",
      streams: streams, tokensPerSecond: 50, eventBytes: eventBytes, downloadBytes: downloadBytes)
  }

  static func provenance(seed: UInt64 = 7, isSimulated: Bool = false) -> Provenance {
    Provenance(
      started: "2026-01-02T03:04:05Z", finished: "2026-01-02T03:14:05Z", commandLine: ["latency-lab", "run", "loss-2"],
      rerunCommand: "latency-lab run loss-2 --seed \(seed)", seed: seed, machine: "2 cores", kernel: "6.18",
      versions: [NamedValue("ngtcp2", "1.11")], settings: [NamedValue("congestion control", "cubic")], loadBefore: 0.1,
      loadAfter: 0.2,
      calibration: [
        CalibrationPoint(packetsPerSecond: 500, p50Microseconds: 50, p99Microseconds: 200, p999Microseconds: 1800)
      ], noiseFloorMilliseconds: 1, isSimulated: isSimulated)
  }

  static let arms = [
    ArmDescription(name: "h3", label: "HTTP/3"), ArmDescription(name: "h2", label: "HTTP/2"),
    ArmDescription(name: "h1", label: "HTTP/1.1", notes: ["one connection a stream"]),
  ]

  static func values(
    _ client: ClientRecord, arm: String = "h3", packets: [PacketLogEntry] = [], serverCPUSeconds: Double? = nil,
    toolSequence: Int? = nil, scenario: ScenarioSummary = scenario()
  ) -> [Metric: Double] {
    let run = run(
      client, arm: arm, toolSequence: toolSequence, packets: packets, serverCPUSeconds: serverCPUSeconds)
    return RunMeasurement(run, scenario: scenario).metrics.values
  }
}

/// Milliseconds taken from nanoseconds agree to far below a microsecond; the histogram is exact to one.
func isNear(_ value: Double?, _ expected: Double?, within tolerance: Double = 1e-6) -> Bool {
  guard let value, let expected else { return value == nil && expected == nil }
  return abs(value - expected) <= tolerance
}
