import Testing

@testable import LinkEmulator

@Suite("TCP connections, as the link sees them open")
struct TCPFlowTests {
  private static let synchronise: UInt8 = 0x02

  @Test("a SYN opens a flow, over either version of IP")
  func synchroniseOpens() throws {
    for packet in [Packets.tcp(flags: Self.synchronise), Packets.tcpIPv6(flags: Self.synchronise)] {
      let flow = try #require(TCPFlow(opening: packet))
      #expect(flow.client.port == 0x1234)
      #expect(flow.server.port == 4_433)
    }
    let old = try #require(TCPFlow(opening: Packets.tcp(flags: Self.synchronise)))
    #expect(old.family == 4)
    #expect(old.client.low == 0xC612_0064)
    #expect(old.server.low == 0xC612_0164)
    let new = try #require(TCPFlow(opening: Packets.tcpIPv6(flags: Self.synchronise)))
    #expect(new.family == 6)
    #expect(new.server.high == 0x2001_0DB8_0018_0001)
    #expect(new.server.low == 0x100)
    #expect(new.client.high == 0x2001_0DB8_0018_0000)
  }

  @Test("options of IP are passed over")
  func optionsAreSkipped() throws {
    var packet = Packets.tcp(flags: Self.synchronise)
    packet[0] = 0x46
    packet.insert(contentsOf: [1, 1, 1, 1], at: 20)
    #expect(try #require(TCPFlow(opening: packet)).server.port == 4_433)
  }

  @Test("nothing else does", arguments: [UInt8(0x12), 0x10, 0x11, 0x04, 0x00])
  func othersDoNot(_ flags: UInt8) {
    #expect(TCPFlow(opening: Packets.tcp(flags: flags)) == nil)
    #expect(TCPFlow(opening: Packets.tcpIPv6(flags: flags)) == nil)
    #expect(TCPFlow(opening: Packets.udp(payload: Array(repeating: Self.synchronise, count: 40))) == nil)
  }

  @Test("a packet that ends early opens nothing")
  func shortPackets() {
    for packet in [Packets.tcp(flags: Self.synchronise), Packets.tcpIPv6(flags: Self.synchronise)] {
      for length in 0..<packet.count { #expect(TCPFlow(opening: Array(packet[..<length])) == nil) }
    }
    var lying = Packets.tcp(flags: Self.synchronise)
    for nibble in UInt8(0)...15 {
      lying[0] = nibble << 4 | 1
      #expect(TCPFlow(opening: lying) == nil || nibble == 6)
    }
  }

  @Test("a sample's line has a field for each column")
  func lines() {
    var sample = TCPSample(time: 5, localPort: 4_433, remotePort: 9)
    sample.segmentBytes = 1_448
    sample.window = 10
    sample.acknowledgedBytes = 77
    #expect(sample.csvLine == "5,4433,9,1448,10,,0,0,0,0,0,0,0,0,77,0,")
    sample.slowStartThreshold = 7
    sample.congestion = .recovery
    #expect(sample.csvLine == "5,4433,9,1448,10,7,0,0,0,0,0,0,0,0,77,0,recovery")
    #expect(TCPSample.csvHeader.split(separator: ",").count == 17)
  }

  @Test("samples beyond the limit are left out, and it is told")
  func limit() {
    var samples = TCPSamples(limit: 2)
    for time in 0..<2 { samples.append(TCPSample(time: Int64(time), localPort: 1, remotePort: 2)) }
    #expect(samples.isComplete)
    samples.append(TCPSample(time: 2, localPort: 1, remotePort: 2))
    #expect(!samples.isComplete)
    #expect(samples.samples.count == 2)
  }
}
