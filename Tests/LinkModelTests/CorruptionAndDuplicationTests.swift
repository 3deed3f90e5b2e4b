import Testing

@testable import LinkModel

@Suite struct CorruptionAndDuplicationTests {
  @Test(
    "One byte of the payload's first 50 is changed and every checksum is right",
    arguments: PacketBuilder.Network.allCases)
  func corruption(network: PacketBuilder.Network) throws {
    var generator = LinkGenerator(seed: 3)
    var run = try LinkRun { $0.corruptionRate = 1 }
    var places: Set<Int> = []
    for transport in PacketBuilder.Transport.allCases {
      for length in 1...200 {
        let payload = (0..<length).map { _ in UInt8(generator.below(256)) }
        let builder = PacketBuilder(network: network, transport: transport, payload: payload)
        #expect(builder.hasRightChecksums(builder.bytes))
        let entry = run.send(builder.packet, atMilliseconds: 0)[0]
        run.deliver()
        let arrived = try #require(run.deliveries.last).bytes
        #expect(entry.cause == .corrupted && entry.verdict == .delivered)
        #expect(builder.hasRightChecksums(arrived), "\(length) bytes over \(transport)")
        let before = Array(builder.bytes.suffix(length))
        let after = Array(arrived.suffix(length))
        let changed = before.indices.filter { before[$0] != after[$0] }
        #expect(changed.count == 1)
        places.formUnion(changed)
      }
    }
    #expect(places.max() == 49 && places.min() == 0)
  }

  @Test("Version Negotiation and packets without a payload are spared; a UDP checksum of 0 stays")
  func spared() throws {
    var run = try LinkRun { $0.corruptionRate = 1 }
    let negotiation: [UInt8] = [0xC5, 0, 0, 0, 0, 1, 9, 1, 8, 0, 0, 0, 1]
    for payload in [negotiation, []] {
      let packet = PacketBuilder(payload: payload).packet
      #expect(run.send(packet, atMilliseconds: 0)[0].cause == .none)
      run.deliver()
      #expect(run.deliveries.last?.bytes == packet.bytes)
    }
    #expect(run.send(LinkPacket(bytes: negotiation, framing: .udpPayload), atMilliseconds: 0)[0].cause == .none)
    #expect(run.send(PacketBuilder(transport: .tcp, payload: []).packet, atMilliseconds: 0)[0].cause == .none)
    var unsummed = PacketBuilder().bytes
    unsummed.replaceSubrange(26..<28, with: [0, 0])
    #expect(run.send(LinkPacket(bytes: unsummed), atMilliseconds: 0)[0].cause == .corrupted)
    run.deliver()
    #expect(run.deliveries.last.map { Array($0.bytes[26..<28]) } == [0, 0])
  }

  @Test("A UDP checksum that comes to 0 is sent as its other form")
  func zeroChecksum() throws {
    // The payload's last word is chosen so that the sum over all is 0.
    for seed in 0..<300 as Range<UInt64> {
      var run = try LinkRun(seed: LinkSeed(scenario: seed, repetition: 0)) { $0.corruptionRate = 1 }
      let builder = PacketBuilder(payload: [0x40])
      run.send(builder.packet, atMilliseconds: 0)
      run.deliver()
      var wanted = try #require(run.deliveries.last).bytes
      let reached = UInt16(wanted[26]) << 8 | UInt16(wanted[27])
      // Adding the reached checksum to a covered word makes the packet's checksum 0: the client's port is such a word.
      let port = UInt32(builder.clientPort) + UInt32(reached)
      let second = PacketBuilder(clientPort: UInt16((port & 0xFFFF) + (port >> 16)), payload: [0x40])
      var again = try LinkRun(seed: LinkSeed(scenario: seed, repetition: 0)) { $0.corruptionRate = 1 }
      again.send(second.packet, atMilliseconds: 0)
      again.deliver()
      wanted = try #require(again.deliveries.last).bytes
      #expect(second.hasRightChecksums(wanted))
      #expect(Array(wanted[26..<28]) == [0xFF, 0xFF])
    }
  }

  @Test("A packet after the longest burst passes, one that is spared ends a burst, and without a limit nothing changes")
  func longestBurst() throws {
    var all = try LinkRun {
      $0.corruptionRate = 1
      $0.corruptionLongestBurst = 3
    }
    all.send(12, everyMilliseconds: 1, bytes: 100)
    #expect(all.entries.map { $0.cause == .corrupted } == (0..<12).map { $0 % 4 != 3 })
    let spared = PacketBuilder(payload: []).packet
    for packet in [LinkRun.packet(bytes: 100), LinkRun.packet(bytes: 100), spared, LinkRun.packet(bytes: 100)] {
      all.send(packet, atMilliseconds: 20)
    }
    #expect(all.entries.suffix(4).map { $0.cause == .corrupted } == [true, true, false, true])
    var limited = try LinkRun {
      $0.corruptionRate = 0.3
      $0.corruptionLongestBurst = 3
    }
    var unlimited = try LinkRun { $0.corruptionRate = 0.3 }
    limited.send(10_000, everyMilliseconds: 1, bytes: 100)
    unlimited.send(10_000, everyMilliseconds: 1, bytes: 100)
    func bursts(_ run: LinkRun) -> [Int] {
      run.entries.split { $0.cause != .corrupted }.map(\.count)
    }
    #expect(bursts(limited).max() == 3 && (bursts(unlimited).max() ?? 0) > 3)
  }

  @Test("Rates of corruption and duplication are right, and a duplicate has its original's number and bytes")
  func rates() throws {
    var run = try LinkRun {
      $0.corruptionRate = 0.3
      $0.duplicationRate = 0.01
    }
    run.send(20_000, everyMilliseconds: 1, bytes: 100)
    run.deliver()
    let originals = run.entries.filter { $0.cause != .duplicated }
    let corrupted = Double(run.count(.corrupted)) / 20_000
    #expect(originals.count == 20_000 && abs(corrupted - 0.3) < LossTests.halfWidth(0.3, 20_000))
    let duplicated = Double(run.count(.duplicated)) / 20_000
    #expect(duplicated > 0 && abs(duplicated - 0.01) < LossTests.halfWidth(0.01, 20_000))
    let copies = run.deliveries.filter(\.isDuplicate)
    #expect(copies.count == run.count(.duplicated) && run.deliveries.count == 20_000 + copies.count)
    for copy in copies {
      let original = run.deliveries.first { $0.number == copy.number && !$0.isDuplicate }
      #expect(original?.bytes == copy.bytes)
    }
  }

  @Test("Both copies take room on the line")
  func duplicateOnLine() throws {
    var run = try LinkRun {
      $0.duplicationRate = 1
      $0.rateBitsPerSecond = 1_200_000
    }
    let entries = run.send(LinkRun.packet(bytes: 1200), atMilliseconds: 0)
    #expect(entries.map(\.due) == [8, 16].map { $0 * LinkRun.millisecond })
    #expect(entries.map(\.cause) == [.none, .duplicated] && entries.map(\.number) == [0, 0])
  }
}
