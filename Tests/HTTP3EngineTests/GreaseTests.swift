import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// The QUIC bit that may be 0 where both sides said so (RFC 9287).
@Suite struct GreaseTests {
  /// The library decides by lot, once for each connection and side. What is sent with the bit cleared is taken, since
  /// the bodies come both ways.
  @Test func someConnectionsClearTheBitAndEachIsServed() throws {
    var cleared: [LinkDirection: Set<Bool>] = [:]
    for seed in UInt64(1)...24 {
      let pair = try QUICPair.make(seed: seed)
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      var bits: [LinkDirection: Set<Bool>] = [:]
      pair.onDatagram = { datagram, direction in
        // Packets with a short header, which stand alone or at the end.
        guard client.handshake != nil, let first = datagram.first, first & 0x80 == 0 else { return }
        bits[direction, default: []].insert(first & 0x40 == 0)
      }
      client.send("POST", "/echo", body: EchoServer.pattern(20_000))
      try pair.run { client.isDone }
      #expect(client.answers[0].body == EchoServer.pattern(20_000), "seed \(seed)")
      #expect(server.connectionErrors.isEmpty)
      for direction in [LinkDirection.toServer, .toClient] {
        #expect(bits[direction]?.count == 1, "seed \(seed)")
        cleared[direction, default: []].formUnion(bits[direction] ?? [])
      }
    }
    #expect(cleared == [.toServer: [true, false], .toClient: [true, false]])
  }
}
