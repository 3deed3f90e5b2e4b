import Foundation
import Testing

@testable import LinkModel

/// Loss of the packets that bring tokens first.
@Suite struct LossByTokenTests {
  private static let tokens = 20_000

  private static func run(_ rate: Double, seed: UInt64) throws -> LinkRun {
    var conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 0))
    conditions.toClient.loss = .byToken(rate: rate, maximumQUICBytes: 100)
    return try LinkRun(conditions, seed: LinkSeed(scenario: 0x70CE, repetition: seed))
  }

  /// A mark as the origin's socket sends it.
  private static func mark(
    _ sequence: Int, stream: Int = 0, _ network: PacketBuilder.Network = .ipv4, port: UInt16 = TokenMark.port
  ) -> LinkPacket {
    PacketBuilder(
      network: network, isToServer: false, clientPort: port, serverPort: 40_000,
      payload: TokenMark(stream: stream, sequence: sequence).bytes
    ).packet
  }

  /// A packet of the server; of QUIC those of at most 100 bytes bring no token.
  private static func packet(_ transport: PacketBuilder.Transport, payload: Int) -> LinkPacket {
    PacketBuilder(transport: transport, isToServer: false, payload: [0x42] + [UInt8](repeating: 0, count: payload - 1))
      .packet
  }

  private static func acknowledgement(_ transport: PacketBuilder.Transport) -> LinkPacket {
    PacketBuilder(
      transport: transport, isToServer: false,
      payload: transport == .udp ? [0x42] + [UInt8](repeating: 0, count: 40) : []
    ).packet
  }

  /// The tokens whose first packet was lost, where each has `packets` of its own behind an acknowledgement.
  private static func lost(
    _ transport: PacketBuilder.Transport, rate: Double, seed: UInt64, packets: Int, order: [Int]
  ) throws -> Set<Int> {
    var run = try run(rate, seed: seed)
    run.send(packet(transport, payload: 200), atMilliseconds: 0)
    let (token, ack) = (packet(transport, payload: 200), acknowledgement(transport))
    var lost: Set<Int> = []
    for (place, sequence) in order.enumerated() {
      let time = Double(place)
      #expect(run.send(mark(sequence), .toClient, atMilliseconds: time).isEmpty, "a mark is no packet of the link's")
      #expect(run.send(ack, .toClient, atMilliseconds: time).allSatisfy { $0.verdict == .delivered })
      for packet in 0..<packets {
        let entries = run.send(token, .toClient, atMilliseconds: time)
        guard entries.contains(where: { $0.cause == .loss }) else { continue }
        #expect(packet == 0, "only the first packet behind the mark is lost")
        lost.insert(sequence)
      }
    }
    run.deliver()
    #expect(run.deliveries.allSatisfy { $0.bytes != mark(0).bytes })
    return lost
  }

  @Test("The realised share is within the 99 % interval", arguments: [0.01, 0.05, 0.5], LossByKindTests.seeds)
  func share(_ rate: Double, _ seed: UInt64) throws {
    let lost = try Self.lost(.udp, rate: rate, seed: seed, packets: 1, order: Array(0..<Self.tokens))
    let realised = Double(lost.count) / Double(Self.tokens)
    #expect(
      abs(realised - rate) < 1.3 * LossTests.halfWidth(rate, Self.tokens), "seed \(seed): \(realised) for \(rate)")
  }

  @Test("Clients that get other packets in another order lose the same tokens", arguments: LossByKindTests.seeds)
  func sameTokens(_ seed: UInt64) throws {
    let order = Array(0..<2_000)
    let quic = try Self.lost(.udp, rate: 0.1, seed: seed, packets: 1, order: order)
    #expect(!quic.isEmpty)
    #expect(try Self.lost(.tcp, rate: 0.1, seed: seed, packets: 1, order: order) == quic)
    #expect(try Self.lost(.udp, rate: 0.1, seed: seed, packets: 3, order: order.reversed()) == quic)
    #expect(try Self.lost(.udp, rate: 0.1, seed: seed + 1, packets: 1, order: order) != quic)
  }

  @Test("Tokens that one packet brings are lost with it", arguments: PacketBuilder.Network.allCases)
  func oneForMany(_ network: PacketBuilder.Network) throws {
    var run = try Self.run(1, seed: 1)
    for stream in 0..<3 { run.send(Self.mark(0, stream: stream, network), .toClient, atMilliseconds: 0) }
    for _ in 0..<3 { run.send(Self.packet(.udp, payload: 200), .toClient, atMilliseconds: 1) }
    #expect(run.dropped == [true, false, false])
  }

  @Test("Only a mark is a mark")
  func otherPackets() throws {
    var run = try Self.run(1, seed: 1)
    // Toward the server, to another port, a byte short, over TCP: none is taken off the link, and none marks a token.
    run.send(Self.mark(0), .toServer, atMilliseconds: 0)
    run.send(Self.mark(0, port: 443), .toClient, atMilliseconds: 0)
    var short = PacketBuilder(isToServer: false, clientPort: TokenMark.port)
    short.payload = Array(TokenMark(stream: 0, sequence: 0).bytes.dropLast())
    run.send(short.packet, .toClient, atMilliseconds: 0)
    short.transport = .tcp
    short.payload = TokenMark(stream: 0, sequence: 0).bytes
    run.send(short.packet, .toClient, atMilliseconds: 0)
    run.send(Self.packet(.udp, payload: 200), .toClient, atMilliseconds: 0)
    #expect(run.dropped == [false, false, false, false, false])
    // A link whose loss is another's carries marks as all else.
    var other = try LinkRun { $0.loss = .bernoulli(rate: 0, longestBurst: nil) }
    #expect(other.send(Self.mark(0), .toClient, atMilliseconds: 0).count == 1)
  }

  @Test("Any bytes may come as a mark", arguments: LossByKindTests.seeds)
  func anyBytes(_ seed: UInt64) throws {
    var generator = LinkGenerator(seed: seed)
    var run = try Self.run(1, seed: seed)
    let whole = PacketBuilder.Network.allCases.map { Self.mark(.max, stream: .max, $0).bytes }
    for index in 0..<20_000 {
      var bytes = whole[index % whole.count]
      bytes.removeLast(generator.below(4) == 0 ? generator.below(bytes.count) : 0)
      bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
      run.send(LinkPacket(bytes: bytes), .toClient, atMilliseconds: Double(index))
    }
    #expect(run.entries.count < 20_000, "seed \(seed): some are still marks")
  }
}
