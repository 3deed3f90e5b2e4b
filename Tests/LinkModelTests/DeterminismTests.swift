import Testing

@testable import LinkModel

@Suite struct DeterminismTests {
  struct Sent {
    var packet: LinkPacket
    var direction: LinkDirection
    var milliseconds: Double
  }

  static let rebinding = Rebinding(firstMilliseconds: 500, everyMilliseconds: 700, changesAddress: true)

  static func traffic(_ count: Int = 10_000) -> [Sent] {
    var generator = LinkGenerator(seed: 21)
    return (0..<count).map { index in
      let isToServer = generator.chance(0.5)
      let transport: PacketBuilder.Transport = generator.chance(0.7) ? .udp : .tcp
      let payload = (0..<generator.below(1000)).map { _ in UInt8(truncatingIfNeeded: index) }
      let builder = PacketBuilder(transport: transport, isToServer: isToServer, payload: payload)
      return Sent(
        packet: builder.packet, direction: isToServer ? .toServer : .toClient, milliseconds: Double(index) / 4)
    }
  }

  static func run(
    _ traffic: [Sent], seed: LinkSeed = LinkRun.seed,
    _ change: (inout DirectionConditions) -> Void = PacketHeadersTests.everyStage
  ) throws -> LinkRun {
    var run = try LinkRun(seed: seed, rebinding: rebinding, change)
    for sent in traffic { run.send(sent.packet, sent.direction, atMilliseconds: sent.milliseconds) }
    run.deliver()
    return run
  }

  @Test("The same seed and packets give the same decisions and bytes to the last packet")
  func repeats() throws {
    let traffic = Self.traffic()
    let first = try Self.run(traffic)
    let second = try Self.run(traffic)
    #expect(first.entries == second.entries && first.deliveries == second.deliveries)
    let other = try Self.run(traffic, seed: LinkSeed(scenario: 0x5EED, repetition: 8))
    #expect(other.entries != first.entries)
    // The traffic meets every stage, or this would say little.
    let causes = Set(first.entries.map(\.cause))
    #expect(causes.count == PacketLogEntry.Cause.allCases.count - 4, "\(causes)")
  }

  @Test("Stray packets of other protocols change nothing, before the start or after")
  func strays() throws {
    let traffic = Self.traffic()
    var generator = LinkGenerator(seed: 4)
    var solicitation = PacketBuilder(network: .ipv6, payload: [133, 0, 0, 0]).bytes
    solicitation[6] = 58
    var mixed: [Sent] = []
    for sent in traffic {
      for direction in LinkDirection.allCases where generator.chance(0.2) {
        let bytes = generator.chance(0.5) ? solicitation : [0xFF, 1]
        mixed.append(Sent(packet: LinkPacket(bytes: bytes), direction: direction, milliseconds: sent.milliseconds))
      }
      mixed.append(sent)
    }
    mixed.insert(Sent(packet: LinkPacket(bytes: solicitation), direction: .toServer, milliseconds: -5000), at: 0)
    let clean = try Self.run(traffic).entries
    let strayed = try Self.run(mixed).entries.filter { $0.transport != .other }
    #expect(mixed.count > traffic.count * 5 / 4 && clean.count == strayed.count)
    #expect(zip(clean, strayed).allSatisfy { Self.unnumbered($0) == Self.unnumbered($1) })
  }

  @Test("One stage's randomness is not another's: losses are the same with and without jitter and duplicates")
  func stages() throws {
    let traffic = Self.traffic(5000)
    let plain = try Self.run(traffic) { $0.loss = .bernoulli(rate: 0.1, longestBurst: nil) }
    let full = try Self.run(traffic) {
      $0.loss = .bernoulli(rate: 0.1, longestBurst: nil)
      $0.corruptionRate = 0.5
      $0.duplicationRate = 0.5
      $0.jitter = .uniform(maximumMilliseconds: 10)
      $0.earlyRate = 0.5
    }
    let lost = plain.entries.filter { $0.cause == .loss }.map(\.number)
    #expect(!lost.isEmpty && lost == full.entries.filter { $0.cause == .loss }.map(\.number))
  }

  @Test("Traffic one way does not change the other")
  func directions() throws {
    let traffic = Self.traffic(5000)
    let change: (inout DirectionConditions) -> Void = {
      $0.loss = .gilbert(meanRate: 0.05, meanBurstPackets: 4)
      $0.jitter = .uniform(maximumMilliseconds: 10)
    }
    let both = try Self.run(traffic, change).entries.filter { $0.direction == .toServer }
    let one = try Self.run(traffic.filter { $0.direction == .toServer }, change).entries
    #expect(zip(both, one).allSatisfy { Self.unnumbered($0) == Self.unnumbered($1) } && both.count == one.count)
  }

  private static func unnumbered(_ entry: PacketLogEntry) -> PacketLogEntry {
    var entry = entry
    entry.number = 0
    return entry
  }
}
