import Testing

@testable import LinkModel

@Suite struct OutageAndFilterTests {
  @Test("Two seconds on, one off: gaps of exactly 500 packets, counted from the first packet")
  func outages() throws {
    var run = try LinkRun {
      $0.outages = [Outage(startMilliseconds: 2000, durationMilliseconds: 1000, everyMilliseconds: 3000)]
    }
    run.send(6000, everyMilliseconds: 2, from: 12_345)
    #expect(run.bursts == [500, 500, 500, 500])
    #expect(run.dropped.firstIndex(of: true) == 1000)
    #expect(run.count(.outage) == 2000)
  }

  @Test("An outage once, and every protocol in it")
  func once() throws {
    var run = try LinkRun { $0.outages = [Outage(startMilliseconds: 10, durationMilliseconds: 5)] }
    run.send(100, everyMilliseconds: 1)
    #expect(
      run.entries.filter { $0.cause == .outage }.map { $0.entered / LinkRun.millisecond } == [10, 11, 12, 13, 14])
    var icmp = PacketBuilder().bytes
    icmp[9] = 1
    var other = try LinkRun { $0.outages = [Outage(startMilliseconds: 10, durationMilliseconds: 5)] }
    other.send(LinkPacket(bytes: icmp), atMilliseconds: 0)
    other.send(1, everyMilliseconds: 1, from: 100)
    other.send(LinkPacket(bytes: icmp), atMilliseconds: 112)
    other.send(LinkPacket(bytes: icmp), atMilliseconds: 116)
    // The link started at 100 ms: ICMP does not start it.
    #expect(other.dropped == [false, false, true, false])
    #expect(other.link.started == 100 * LinkRun.millisecond)
  }

  @Test("UDP is blocked, TCP passes")
  func blocked() throws {
    var run = try LinkRun { $0.blocksUDP = true }
    run.send(PacketBuilder().packet, atMilliseconds: 0)
    run.send(PacketBuilder(transport: .tcp).packet, atMilliseconds: 0)
    run.send(LinkPacket(bytes: [1], framing: .udpPayload), atMilliseconds: 0)
    #expect(run.entries.map(\.cause) == [.udpBlocked, .none, .udpBlocked])
    #expect(run.entries.map(\.verdict) == [.dropped, .delivered, .dropped])
  }

  @Test("What is larger than the limit is dropped, headers counted")
  func size() throws {
    var run = try LinkRun { $0.maximumPacketBytes = 1280 }
    for bytes in [1279, 1280, 1281] { run.send(LinkRun.packet(bytes: bytes), atMilliseconds: 0) }
    for bytes in [1252, 1253] {
      run.send(
        LinkPacket(bytes: [UInt8](repeating: 0, count: bytes), framing: .udpPayload), atMilliseconds: 0)
    }
    run.send(LinkPacket(bytes: [UInt8](repeating: 0, count: 70_000)), atMilliseconds: 0)
    #expect(run.entries.map(\.cause) == [.none, .none, .tooLarge, .none, .tooLarge, .tooLarge])
  }

  @Test("The drop list counts UDP packets of its direction from 1, also those dropped before")
  func dropList() throws {
    var run = try LinkRun {
      $0.droppedUDPPackets = [2, 3, 7]
      $0.outages = [Outage(startMilliseconds: 4, durationMilliseconds: 2)]
    }
    for time in 0..<8 {
      run.send(PacketBuilder(transport: .tcp).packet, atMilliseconds: Double(time))
      run.send(PacketBuilder().packet, atMilliseconds: Double(time))
      run.send(PacketBuilder(isToServer: false).packet, .toClient, atMilliseconds: 0)
    }
    let up = run.entries.filter { $0.direction == .toServer && $0.transport == .udp }
    #expect(up.map(\.cause) == [.none, .dropList, .dropList, .none, .outage, .outage, .dropList, .none])
    let down = run.entries.filter { $0.direction == .toClient }
    #expect(down.enumerated().filter { $0.element.cause == .dropList }.map(\.offset) == [1, 2, 6])
    #expect(run.entries.filter { $0.transport == .tcp }.allSatisfy { $0.cause != .dropList })
  }

  @Test("Stages come in their order", arguments: PacketLogEntry.Cause.allCases)
  func order(cause: PacketLogEntry.Cause) throws {
    // All stages that drop surely, taken away one after another.
    let order: [PacketLogEntry.Cause] = [.outage, .udpBlocked, .tooLarge, .dropList, .loss, .delayStep, .udpRate]
    guard let first = order.firstIndex(of: cause) else { return }
    var run = try LinkRun {
      if first <= 0 { $0.outages = [Outage(startMilliseconds: 0, durationMilliseconds: 1000)] }
      if first <= 1 { $0.blocksUDP = true }
      if first <= 2 { $0.maximumPacketBytes = 68 }
      if first <= 3 { $0.droppedUDPPackets = [2] }
      if first <= 4 { $0.loss = .bernoulli(rate: 1, longestBurst: nil) }
      if first <= 5 {
        $0.delaySteps = DelaySteps(
          everyMilliseconds: 1, amplitudeMilliseconds: 0, lossRate: 1, lossDurationMilliseconds: 1)
      }
      $0.udpRateBitsPerSecond = 1000
    }
    run.send(LinkRun.packet(bytes: 60), atMilliseconds: 0)
    #expect(run.send(LinkRun.packet(bytes: 15_001), atMilliseconds: 5)[0].cause == cause)
  }
}
