import Testing

@testable import LinkModel

@Suite struct PacketHeadersTests {
  @Test(
    "Transport and payload are found behind options and extension headers", arguments: PacketBuilder.Network.allCases)
  func shapes(network: PacketBuilder.Network) {
    for transport in PacketBuilder.Transport.allCases {
      let builder = PacketBuilder(network: network, transport: transport)
      let headers = PacketHeaders(of: builder.packet)
      #expect(headers.isReadable)
      #expect(headers.transport == (transport == .udp ? .udp : .tcp))
      #expect(headers.transportOffset == builder.transportOffset)
      #expect(Array(builder.bytes[headers.payload]) == builder.payload)
    }
  }

  @Test("A packet cut anywhere is unreadable and passes", arguments: PacketBuilder.Network.allCases)
  func truncation(network: PacketBuilder.Network) throws {
    let whole = PacketBuilder(network: network, transport: .tcp).bytes
    for length in whole.indices {
      let packet = LinkPacket(bytes: Array(whole[..<length]))
      let headers = PacketHeaders(of: packet)
      #expect(!headers.isReadable && headers.transport == .other, "\(length) bytes")
    }
    var run = try LinkRun { $0.loss = .bernoulli(rate: 1, longestBurst: nil) }
    let entry = try #require(run.send(LinkPacket(bytes: Array(whole[..<30])), atMilliseconds: 0).first)
    #expect(entry.verdict == .delivered && entry.cause == .unreadable && entry.transport == .other)
    #expect(run.link.started == nil)
  }

  @Test("Headers that contradict themselves are unreadable")
  func contradictions() {
    let base = PacketBuilder().bytes
    let changes: [(String, Int, UInt8)] = [
      ("version 5", 0, 0x55), ("version 0", 0, 0x05), ("header of 16 bytes", 0, 0x44),
      ("header beyond the end", 0, 0x4F),
      ("length beyond the end", 2, 0xFF), ("length within the header", 3, 19), ("UDP length below its header", 25, 7),
    ]
    for (name, index, value) in changes {
      var bytes = base
      bytes[index] = value
      #expect(!PacketHeaders(of: LinkPacket(bytes: bytes)).isReadable, "\(name)")
    }
    var tcp = PacketBuilder(transport: .tcp).bytes
    tcp[32] = 0x40
    #expect(!PacketHeaders(of: LinkPacket(bytes: tcp)).isReadable)
    tcp[32] = 0xF0
    #expect(!PacketHeaders(of: LinkPacket(bytes: tcp)).isReadable)
  }

  @Test("Other protocols and later fragments are readable and other")
  func others() {
    var icmp = PacketBuilder().bytes
    icmp[9] = 1
    var fragment = PacketBuilder().bytes
    fragment[7] = 1
    var fragment6 = PacketBuilder(network: .ipv6WithExtensions).bytes
    fragment6[67] = 0x08
    var icmp6 = PacketBuilder(network: .ipv6).bytes
    icmp6[6] = 58
    for bytes in [icmp, fragment, fragment6, icmp6] {
      let headers = PacketHeaders(of: LinkPacket(bytes: bytes))
      #expect(headers.isReadable && headers.transport == .other && headers.payload.isEmpty)
    }
  }

  @Test("A bare payload is UDP and counts 28 bytes more")
  func barePayload() {
    let packet = LinkPacket(bytes: [1, 2, 3], framing: .udpPayload)
    #expect(packet.size == 31)
    #expect(PacketHeaders(of: packet).transport == .udp)
    #expect(PacketHeaders(of: packet).payload == 0..<3)
  }

  /// Random bytes, half of them behind the first bytes of a real packet, so that the deeper branches are met too.
  @Test("Any bytes pass every stage without a trap", arguments: [11, 12, 13] as [UInt64])
  func randomBytes(seed: UInt64) throws {
    var generator = LinkGenerator(seed: seed)
    var run = try LinkRun(
      rebinding: Rebinding(firstMilliseconds: 100, everyMilliseconds: 50, changesAddress: true), Self.everyStage)
    let shapes = PacketBuilder.Network.allCases.flatMap { network in
      PacketBuilder.Transport.allCases.map { PacketBuilder(network: network, transport: $0).bytes }
    }
    for number in 0..<10_000 {
      var bytes = (0..<generator.below(120)).map { _ in UInt8(generator.below(256)) }
      if generator.chance(0.5) {
        let shape = shapes[generator.below(shapes.count)]
        bytes = Array(shape.prefix(generator.below(shape.count + 1))) + bytes
        if !bytes.isEmpty { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
      }
      let packet = LinkPacket(bytes: bytes, framing: generator.chance(0.1) ? .udpPayload : .ip)
      let entries = run.send(packet, generator.chance(0.5) ? .toServer : .toClient, atMilliseconds: Double(number) / 10)
      #expect(entries.count == 1 || entries.count == 2)
      #expect(entries.allSatisfy { $0.number == number && ($0.due != nil) == ($0.verdict == .delivered) })
    }
    run.deliver()
    #expect(run.deliveries.count == run.entries.count { $0.verdict == .delivered }, "seed \(seed)")
    #expect(run.link.packetsOnLink == 0 && run.link.bytesOnLink == 0)
  }

  static func everyStage(_ direction: inout DirectionConditions) {
    direction.oneWayDelayMilliseconds = 20
    direction.outages = [Outage(startMilliseconds: 100, durationMilliseconds: 5, everyMilliseconds: 200)]
    direction.maximumPacketBytes = 1400
    direction.droppedUDPPackets = [3, 7]
    direction.loss = .weather(
      goodMeanMilliseconds: 50, goodRate: 0.01, badMeanMilliseconds: 20, badRate: 0.3, badExtraDelayMilliseconds: 40)
    direction.corruptionRate = 0.2
    direction.duplicationRate = 0.1
    direction.udpRateBitsPerSecond = 5e6
    direction.rateBitsPerSecond = 10e6
    direction.queueBytes = 20_000
    direction.queuePackets = 20
    direction.delaySteps = DelaySteps(
      everyMilliseconds: 100, amplitudeMilliseconds: 5, lossRate: 0.5, lossDurationMilliseconds: 10)
    direction.jitter = .rightSkewed(meanMilliseconds: 3, maximumMilliseconds: 30)
    direction.earlyRate = 0.05
  }
}
