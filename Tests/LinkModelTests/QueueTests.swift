import Testing

@testable import LinkModel

@Suite struct QueueTests {
  /// 1 200-byte packets every 8 ms are 1.2 Mbit/s; each takes 9.6 ms at 1 Mbit/s; 53 of them fit into 64 000 bytes.
  @Test("1.2 Mbit/s into 1 Mbit/s with 64 kB: the queue's delay and the tail drops are those of arithmetic")
  func tailDrop() throws {
    var run = try LinkRun {
      $0.rateBitsPerSecond = 1e6
      $0.queueBytes = 64_000
    }
    run.send(7500, everyMilliseconds: 8)
    let accepted = run.entries.filter { $0.verdict == .delivered }
    // By the last packet, at 59 992 ms, 6 250 transmissions have begun; 53 packets more wait.
    #expect(accepted.count == 6250 + 53)
    #expect(run.count(.queueFull) == 7500 - 6303)  // 15.96 %, going to 1 − 1/1.2 = 16.67 % without an end.
    let steady = run.entries.suffix(3000)
    let steadyDrops = Double(steady.count { $0.verdict == .dropped }) / 3000
    #expect(abs(steadyDrops - 1 / 6) < 0.001)
    let sojourn = steady.compactMap { entry in entry.due.map { Double($0 - entry.entered) / 1e6 } }
    let queueing = sojourn.map { $0 - 9.6 }
    let mean = queueing.reduce(0, +) / Double(queueing.count)
    // 52 packets before it and what is left of the one in transmission: 499.2 to 508.8 ms.
    #expect(queueing.allSatisfy { $0 >= 499.2 - 1e-6 && $0 <= 508.8 + 1e-6 })
    #expect(abs(mean - 504.8) < 2, "\(mean) ms")
    #expect(run.entries.map(\.queuedBytes).max() == 63_600)
    #expect(run.entries.allSatisfy { $0.queuedBytes <= 64_000 })
  }

  @Test("A limit in packets counts those that wait, without the one in transmission")
  func packetLimit() throws {
    var run = try LinkRun {
      $0.rateBitsPerSecond = 10e6
      $0.queuePackets = 25
    }
    run.send(30, everyMilliseconds: 0, bytes: 1250)
    #expect(run.dropped == Array(repeating: false, count: 26) + Array(repeating: true, count: 4))
    #expect(run.entries.compactMap(\.due) == (1...26).map { $0 * LinkRun.millisecond })
    #expect(run.entries.prefix(4).map(\.queuedBytes) == [0, 0, 1250, 2500])
    // A millisecond later one place is free.
    run.send(2, everyMilliseconds: 0, bytes: 1250, from: 1)
    #expect(run.dropped.suffix(2) == [false, true])
  }

  @Test("Both limits hold, whichever is met first")
  func bothLimits() throws {
    var run = try LinkRun {
      $0.rateBitsPerSecond = 1e6
      $0.queuePackets = 3
      $0.queueBytes = 2500
    }
    run.send(4, everyMilliseconds: 0, bytes: 1000)
    #expect(run.dropped == [false, false, false, true])
    run.send(5, everyMilliseconds: 0, bytes: 100, from: 1000)
    #expect(run.dropped.suffix(5) == [false, false, false, false, true])
  }

  @Test("The rate is kept to the bit: fractions of nanoseconds add up")
  func exactRate() throws {
    var run = try LinkRun { $0.rateBitsPerSecond = 7e9 }
    run.send(70_000, everyMilliseconds: 0, bytes: 100)
    // 70 000 · 800 bits at 7 Gbit/s are 8 ms.
    let last = try #require(run.entries.last?.due)
    #expect(abs(last - 8 * LinkRun.millisecond) <= 1)
  }

  @Test("An idle line keeps no credit")
  func idle() throws {
    var run = try LinkRun { $0.rateBitsPerSecond = 1_200_000 }
    run.send(3, everyMilliseconds: 100)
    #expect(run.entries.map(\.due) == [8, 108, 208].map { $0 * LinkRun.millisecond })
  }

  @Test("UDP is policed by tokens and TCP is not")
  func policer() throws {
    var run = try LinkRun { $0.udpRateBitsPerSecond = 200_000 }
    run.send(10_000, everyMilliseconds: 1, bytes: 1000)
    // 15 000 bytes at once, then 25 000 bytes a second for 9.999 s.
    #expect(run.count(.udpRate) == 10_000 - 15 - 249)
    #expect(run.dropped.prefix(15).allSatisfy { !$0 })
    #expect(run.entries.compactMap(\.due) == run.entries.filter { $0.due != nil }.map(\.entered))
    // After a minute of silence the bucket is full, not fuller.
    run.send(30, everyMilliseconds: 0, bytes: 1000, from: 70_000)
    #expect(run.dropped.suffix(30).map { $0 } == (0..<30).map { $0 >= 15 })
    let tcp = PacketBuilder(transport: .tcp, payload: [UInt8](repeating: 0, count: 900)).packet
    for time in 0..<1000 { #expect(run.send(tcp, atMilliseconds: 80_000 + Double(time))[0].verdict == .delivered) }
  }

  @Test("A link holds a limited number of packets and bytes")
  func inFlight() throws {
    var run = try LinkRun { $0.oneWayDelayMilliseconds = 1000 }
    run.send(LinkLimits.packetsInFlight + 5, everyMilliseconds: 0, bytes: 40)
    #expect(run.link.packetsOnLink == LinkLimits.packetsInFlight)
    #expect(run.count(.queueFull) == 5)
    var large = try LinkRun { $0.oneWayDelayMilliseconds = 1000 }
    let packet = LinkPacket(bytes: [UInt8](repeating: 0, count: 65_000))
    for _ in 0..<4200 { large.send(packet, atMilliseconds: 0) }
    #expect(large.link.bytesOnLink <= LinkLimits.bytesInFlight)
    #expect(large.link.packetsOnLink == LinkLimits.bytesInFlight / 65_000)
    #expect(large.count(.queueFull) == 4200 - large.link.packetsOnLink)
  }
}
