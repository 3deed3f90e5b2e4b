import Foundation
import Testing

@testable import LinkModel

/// Losses that depend on what a packet is.
@Suite struct LossByKindTests {
  static let seeds: [UInt64] = [1, 2, 3]

  private static func seed(_ number: UInt64) -> LinkSeed { LinkSeed(scenario: 0x517E, repetition: number) }

  @Test("Packets are lost by their length", arguments: seeds)
  func perByte(_ seed: UInt64) throws {
    let rate = 1e-4
    var run = try LinkRun(seed: Self.seed(seed)) { $0.loss = .perByte(rate: rate) }
    let sizes = [60, 200, 600, 1500]
    let packets = sizes.map(LinkRun.packet)
    for index in 0..<200_000 { run.send(packets[index % packets.count], atMilliseconds: Double(index)) }
    for size in sizes {
      let entries = run.entries.filter { $0.bytes == size }
      let expected = 1 - pow(1 - rate, Double(size))
      let realised = Double(entries.count { $0.cause == .loss }) / Double(entries.count)
      // 99.9 % each.
      #expect(
        entries.count == 50_000 && abs(realised - expected) < 1.3 * LossTests.halfWidth(expected, entries.count),
        "seed \(seed): \(realised) for \(expected) of \(size) bytes")
    }
  }

  @Test("The law of a packet's length keeps its digits", arguments: [1e-15, 1e-9, 1.35e-5, 0.01, 0.5])
  func lengthLaw(rate: Double) {
    for bytes in [1, 2, 3, 100, 1500, 65_575] {
      let exact = -expm1(Double(bytes) * log1p(-rate))
      #expect(abs(Loss.chance(ofLosing: bytes, byteRate: rate) - exact) <= 1e-12 * exact)
    }
    #expect(Loss.chance(ofLosing: 0, byteRate: rate) == 0)
    #expect(Loss.chance(ofLosing: 1500, byteRate: 0) == 0 && Loss.chance(ofLosing: 1500, byteRate: 1) == 1)
  }

  /// A TCP segment with these flags.
  private static func segment(flags: UInt8, payload: Int = 0, _ network: PacketBuilder.Network = .ipv4) -> LinkPacket {
    let builder = PacketBuilder(
      network: network, transport: .tcp, payload: [UInt8](repeating: 0x17, count: payload))
    var bytes = builder.bytes
    bytes[builder.transportOffset + 13] = flags
    return LinkPacket(bytes: bytes)
  }

  /// A UDP packet of this many bytes whose payload begins with this one.
  private static func datagram(first: UInt8, bytes: Int) -> LinkPacket {
    PacketBuilder(payload: [first] + [UInt8](repeating: 0, count: bytes - 29)).packet
  }

  private static let ack: UInt8 = 0x10

  @Test("Which packets count as acknowledgements", arguments: PacketBuilder.Network.allCases)
  func rule(_ network: PacketBuilder.Network) throws {
    let kinds: [(name: String, packet: LinkPacket, isAcknowledgement: Bool)] = [
      ("ACK", Self.segment(flags: Self.ack, network), true),
      ("ACK with ECE", Self.segment(flags: 0x50, network), true),
      ("data", Self.segment(flags: 0x18, payload: 1, network), false),
      ("SYN", Self.segment(flags: 0x02, network), false), ("SYN ACK", Self.segment(flags: 0x12, network), false),
      ("FIN ACK", Self.segment(flags: 0x11, network), false), ("RST ACK", Self.segment(flags: 0x14, network), false),
      ("RST", Self.segment(flags: 0x04, network), false),
      ("a small short header", Self.datagram(first: 0x43, bytes: 70), true),
      ("the largest", Self.datagram(first: 0x43, bytes: 100), true),
      ("a larger one", Self.datagram(first: 0x43, bytes: 101), false),
      ("a small long header", Self.datagram(first: 0xE3, bytes: 70), false),
      ("no payload", LinkPacket(bytes: PacketBuilder(payload: []).bytes), false),
      ("a bare payload", LinkPacket(bytes: [0x43] + [UInt8](repeating: 0, count: 71), framing: .udpPayload), true),
      ("a larger bare one", LinkPacket(bytes: [0x43] + [UInt8](repeating: 0, count: 72), framing: .udpPayload), false),
      ("no packet", LinkPacket(bytes: [0x45, 1, 2]), false),
    ]
    for kind in kinds {
      var run = try LinkRun { $0.loss = .acknowledgements(rate: 1, maximumQUICBytes: 100) }
      #expect((run.send(kind.packet, atMilliseconds: 0)[0].cause == .loss) == kind.isAcknowledgement, "\(kind.name)")
    }
  }

  @Test("Acknowledgements are lost at their rate, and what goes between them changes nothing", arguments: seeds)
  func acknowledgements(_ seed: UInt64) throws {
    func losses(withData: Bool) throws -> [Bool] {
      var run = try LinkRun(seed: Self.seed(seed)) { $0.loss = .acknowledgements(rate: 0.2, maximumQUICBytes: 100) }
      let acknowledgements = [Self.segment(flags: Self.ack), Self.datagram(first: 0x43, bytes: 66)]
      let data = [Self.segment(flags: 0x18, payload: 500), Self.datagram(first: 0x43, bytes: 600)]
      var lost: [Bool] = []
      for index in 0..<40_000 {
        if withData {
          #expect(run.send(data[index % 2], atMilliseconds: Double(index))[0].verdict == .delivered, "seed \(seed)")
        }
        lost.append(run.send(acknowledgements[index % 2], atMilliseconds: Double(index))[0].cause == .loss)
      }
      return lost
    }
    let alone = try losses(withData: false)
    let realised = Double(alone.count { $0 }) / 40_000
    #expect(abs(realised - 0.2) < 1.3 * LossTests.halfWidth(0.2, 40_000), "seed \(seed): \(realised)")
    #expect(try losses(withData: true) == alone, "seed \(seed)")
  }

  @Test("Any bytes may come", arguments: seeds)
  func anyBytes(_ seed: UInt64) throws {
    var generator = LinkGenerator(seed: seed)
    var run = try LinkRun(seed: Self.seed(seed)) { $0.loss = .acknowledgements(rate: 1, maximumQUICBytes: 65_575) }
    var whole = Self.segment(flags: Self.ack, .ipv6WithExtensions).bytes
    for index in 0..<20_000 {
      if index % 2 == 0 {
        whole = (index % 4 == 0 ? Self.datagram(first: 0x43, bytes: 40) : Self.segment(flags: 16)).bytes
      }
      var bytes = Array(whole.prefix(generator.below(whole.count + 1)))
      if !bytes.isEmpty { bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next()) }
      run.send(LinkPacket(bytes: bytes), atMilliseconds: Double(index))
    }
    #expect(run.entries.count == 20_000, "seed \(seed)")
  }

  /// The names of the laws in scenario files and results.
  @Test("Laws are written by their names")
  func json() throws {
    let laws: [(loss: Loss, text: String)] = [
      (.byTime(meanRate: 0.5, meanBurstMilliseconds: 25), #"{"byTime":{"meanBurstMilliseconds":25,"meanRate":0.5}}"#),
      (.perByte(rate: 0.25), #"{"perByte":{"rate":0.25}}"#),
      (
        .acknowledgements(rate: 0.5, maximumQUICBytes: 100),
        #"{"acknowledgements":{"maximumQUICBytes":100,"rate":0.5}}"#
      ),
      (.byToken(rate: 0.5, maximumQUICBytes: 100), #"{"byToken":{"maximumQUICBytes":100,"rate":0.5}}"#),
      (.gilbert(meanRate: 0.5, meanBurstPackets: 3), #"{"gilbert":{"meanBurstPackets":3,"meanRate":0.5}}"#),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for law in laws {
      #expect(String(decoding: try encoder.encode(law.loss), as: UTF8.self) == law.text)
      #expect(try JSONDecoder().decode(Loss.self, from: Data(law.text.utf8)) == law.loss)
    }
  }
}
