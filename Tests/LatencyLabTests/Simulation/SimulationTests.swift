import LatencyReport
import LinkModel
import Testing

@testable import latency_lab

@Suite struct SimulationTests {
  private func record(
    _ preset: String, _ overrides: [String] = [], seed: UInt64 = 1, repetition: Int = 0, arm: String = "h3"
  ) throws -> RunRecord {
    let scenario = try #require(Presets.named(preset)).applying(overrides: overrides)
    let simulator = try Simulator(scenario, arms: Simulator.arms(arm), seed: seed)
    return try simulator.record(simulator.arms[0], repetition: repetition)
  }

  /// Presets that carry streams over UDP, shortened where nothing of theirs comes late.
  static let passing: [(name: String, overrides: [String])] = Presets.all.compactMap { preset in
    guard preset.name != "udp-blocked", preset.workload.downloadBytes == nil else { return nil }
    let isLate = ["outage-3", "blackhole", "rebind-port", "rebind-addr", "leo", "leo-fast", "turn", "thinking"]
    return (preset.name, isLate.contains(preset.name) || preset.name.hasPrefix("lone") ? [] : ["duration=2"])
  }

  @Test(arguments: passing.map(\.name))
  func everyEventComesOnceAndInOrder(_ name: String) throws {
    let overrides = try #require(Self.passing.first { $0.name == name }).overrides
    let record = try record(name, overrides)
    #expect(record.client.failure == nil)
    #expect(record.client.spoken == "h3")
    #expect(record.client.events.allSatisfy { $0.written != nil && $0.received != nil })
    for stream in Dictionary(grouping: record.client.events, by: \.stream).values {
      #expect(stream.map(\.sequence) == Array(stream.indices))
      let times = stream.compactMap(\.received)
      #expect(times == times.sorted())
    }
    let scenario = try #require(Presets.named(name))
    let least = Int64(scenario.link.toClient.oneWayDelayMilliseconds * 1e6)
    let earliest =
      record.client.events.compactMap { event in
        event.received.flatMap { received in event.written.map { received - $0 } }
      }.min() ?? 0
    // Early packets skip the delay; delay steps may take a part of it away.
    if scenario.link.toClient.earlyRate == nil, scenario.link.toClient.delaySteps == nil { #expect(earliest >= least) }
  }

  @Test(arguments: ["loss-5", "cafe-wifi", "rebind-addr", "corrupt"])
  func theSameSeedGivesTheSameRecordToTheLastPacket(_ name: String) throws {
    let first = try record(name, ["duration=3"])
    // With a certificate and keys of its own.
    #expect(try record(name, ["duration=3"]) == first)
    #expect(first.packets.contains { $0.cause != .none || $0.verdict == .dropped })
    // A link that only rebinds draws nothing that shows in its log.
    guard name != "rebind-addr" else { return }
    #expect(try record(name, ["duration=3"], seed: 2).packets != first.packets)
    #expect(try record(name, ["duration=3"], repetition: 1).packets != first.packets)
  }

  @Test func lossByTokenIsTheSameForArmsThatSendDifferently() throws {
    func lost(_ arm: String, seed: UInt64 = 1) throws -> [PacketLogEntry] {
      let record = try record("token-5", ["streams=1", "duration=8"], seed: seed, arm: arm)
      #expect(record.client.failure == nil)
      return record.packets.filter { $0.verdict == .dropped }
    }
    let plain = try lost("h3")
    #expect(plain.count > 5 && plain.allSatisfy { $0.direction == .toClient && $0.cause == .loss })
    // One stream's tokens are 20 ms apart, so that each has a packet of its own.
    #expect(try lost("h3-hedge").count == plain.count)
    #expect(try lost("h3", seed: 2).map(\.entered) != plain.map(\.entered))
  }

  @Test func aBlockedPathIsAFailureInWords() throws {
    let record = try record("udp-blocked")
    #expect(record.client.failure?.contains("is UDP blocked on the way?") == true)
    #expect(record.client.failure?.contains("2000 of 2000 events did not come by the deadline.") == true)
    #expect(record.client.spoken == "none")
    #expect(record.client.connected == nil)
    #expect(record.client.events.allSatisfy { $0.received == nil })
    #expect(!record.packets.isEmpty)
    #expect(record.packets.allSatisfy { $0.cause == .udpBlocked })
  }

  @Test func anOutageOfThreeSecondsLosesNoEvent() throws {
    let record = try record("outage-3")
    #expect(record.client.failure == nil)
    #expect(record.client.events.allSatisfy { $0.received != nil })
    #expect(record.client.connections == 1)
    let longest = record.client.events.compactMap { event in event.received.map { $0 - event.scheduled } }.max() ?? 0
    #expect((2_000_000_000...6_000_000_000).contains(longest))
  }

  @Test func aConnectionThatIsLostIsResumedBehindTheLastEvent() throws {
    // Longer than the idle time-out of a minute.
    let record = try record(
      "outage-3",
      [
        "link.bothWays.outages.0.durationMilliseconds=70000", "streams=2", "tokensPerSecond=5", "duration=90",
      ])
    #expect(record.client.failure == nil)
    #expect(record.client.connections >= 2)
    #expect(record.client.reconnects.count == 2)
    #expect(record.client.reconnects.allSatisfy { $0.lastEvent != nil && $0.nextEvent != nil })
    #expect(record.client.duplicates == 0)
    #expect(record.client.events.allSatisfy { $0.received != nil })
  }

  @Test func heavyLossIsRecoveredFrom() throws {
    let record = try record("loss-5")
    let dropped = record.packets.count { $0.verdict == .dropped }
    #expect(dropped > 50)
    let excess = record.client.events.compactMap { event in event.received.map { $0 - event.scheduled - 25_000_000 } }
      .sorted()
    #expect(excess.count == record.client.events.count)
    #expect(excess[excess.count / 2] < 10_000_000)
    #expect(excess[excess.count - 1] > 30_000_000)
  }

  @Test func rebindingsShowInTheLogAndKeepTheConnection() throws {
    for name in ["rebind-port", "rebind-addr"] {
      let record = try record(name)
      #expect(record.packets.contains { $0.cause == .oldBinding })
      #expect(record.client.connections == 1)
      #expect(record.client.reconnects.isEmpty)
    }
  }

  @Test func aDownloadIsOneEvent() throws {
    let record = try record("transfer-loss")
    #expect(record.client.failure == nil)
    #expect(record.client.events.count == 1)
    let event = try #require(record.client.events.first)
    #expect(event.scheduled == record.client.requested)
    let seconds = Double(try #require(event.received) - event.scheduled) / 1e9
    // 2 MB at 10 Mbit/s take 1.6 s at the least.
    #expect((1.6...20).contains(seconds))
    #expect(record.client.openings.first?.firstEvent.map { $0 < record.client.ended } == true)
  }

  @Test func aToolsResultIsWaitedFor() throws {
    let record = try record("turn", ["loss=0"])
    let plan = try #require(Presets.named("turn")).plan(origin: "https://localhost", authorityFile: "x", seed: 1)
    let tool = try #require(plan.toolSequence)
    let call = record.client.events[tool]
    let after = record.client.events[tool + 1]
    let written = try #require(after.written)
    #expect(written >= (try #require(call.received)) + 25_000_000)
    #expect(record.client.failure == nil)
  }

  @Test func crossTrafficFillsTheQueue() throws {
    let alone = try record("bufferbloat", ["workload.crossTraffic=null"])
    let beside = try record("bufferbloat")
    #expect(alone.packets.map(\.queuedBytes).max() ?? 0 < 50_000)
    #expect(beside.packets.map(\.queuedBytes).max() ?? 0 > 200_000)
    #expect(beside.client.failure == nil)
  }

  @Test(arguments: SimulatedArm.all.map(\.name)) func everyArmCarriesAllEvents(_ arm: String) throws {
    let record = try record("loss-5", ["duration=2"], arm: arm)
    #expect(record.arm == arm)
    #expect(record.client.failure == nil)
  }

  @Test func recordsComeInOrderWhateverTheWorkersDo() async throws {
    let scenario = try #require(Presets.named("loss-2")).applying(overrides: ["duration=0.2", "streams=2"])
    let simulator = try Simulator(scenario, arms: Simulator.arms("h3,h3-bbr"), seed: 5)
    var order: [String] = []
    var packets: [[PacketLogEntry]] = []
    try await simulator.forEachRecord(repetitions: 6, workers: 3) { record in
      order.append("\(record.arm)-\(record.repetition)")
      packets.append(record.packets)
    }
    #expect(order == (0..<6).flatMap { ["h3-\($0)", "h3-bbr-\($0)"] })
    #expect(try simulator.record(simulator.arms[0], repetition: 3).packets == packets[6])
  }

  @Test func aCancelledSimulationEnds() async throws {
    let simulator = try Simulator(try #require(Presets.named("loss-2")), seed: 1)
    let task = Task { try await simulator.forEachRecord(repetitions: 1_000_000) { _ in } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: ["h2", "", "h3,nope"]) func onlyHTTP3IsSimulated(_ arms: String) {
    #expect(throws: SimulationError.self) { try Simulator.arms(arms) }
  }
}
