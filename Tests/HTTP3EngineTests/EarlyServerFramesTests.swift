import HTTP3Engine
import TestSupport
import Testing

/// Frames that a server sends in 1-RTT packets before the client has written anything after the handshake.
@Suite struct EarlyServerFramesTests {
  private static let clientPath = NetworkPath(
    local: NetworkAddress(ip: .v4(0x0a00_0001), port: 40_000), remote: NetworkAddress(ip: .v4(0x0a00_0002), port: 443))
  private static let now = Timestamp(nanoseconds: 1_000_000_000)
  /// The arrival of the server's packets: late enough for pacing not to hold the client's next write back.
  private static let arrival = now + .milliseconds(100)

  private static func datagrams(_ fill: (inout DatagramBatch) -> Bool) -> [[UInt8]] {
    var batch = DatagramBatch()
    defer { batch.deallocate() }
    var datagrams: [[UInt8]] = []
    while fill(&batch) { datagrams += (0..<batch.segmentCount).map { Array(batch.segment(at: $0)) } }
    return datagrams
  }

  /// The end of a client that reads the server's whole flight, and these frames behind it, before it writes; nil
  /// while it lives.
  ///
  /// - Parameter isReversed: whether the frames arrive before the handshake's packets, and are kept until then.
  private static func ending(_ frames: [UInt8], isReversed: Bool) throws -> HTTP3Error? {
    let client = try HTTP3Connection.client(
      QUICPair.clientConfiguration(), path: clientPath, at: now, random: RandomSource(SeededGenerator(seed: 1)))
    let server = HTTP3ServerEndpoint(
      try QUICPair.serverConfiguration { $0.connection.isRaw = true }, random: RandomSource(SeededGenerator(seed: 2)))
    let serverPath = NetworkPath(local: clientPath.remote, remote: clientPath.local)
    func deliver(_ datagrams: [[UInt8]]) {
      for datagram in datagrams {
        datagram.withUnsafeBytes { client.receive($0, on: clientPath, ecn: .notECT, at: arrival) }
      }
    }
    for datagram in datagrams({ client.fill(&$0, at: now) }) {
      datagram.withUnsafeBytes { server.receive($0, on: serverPath, ecn: .notECT, at: now) }
    }
    let flight = datagrams { server.fill(&$0, at: now) }
    let connection = try #require(server.newestConnection.flatMap { server.connection($0) })
    connection.raw?.sendFrames(frames, carrier: try #require(connection.raw?.open(isBidirectional: false)))
    // Pacing holds it back for some time.
    let behind = datagrams { server.fill(&$0, at: now + .milliseconds(50)) }
    try #require(!flight.isEmpty && !behind.isEmpty)
    deliver(isReversed ? [flight[0]] + behind + flight.dropFirst() : flight + behind)
    #expect(client.handshake != nil)
    // Once more before the first write, and then that.
    deliver([behind[0]])
    let written = datagrams { client.fill(&$0, at: arrival) }
    #expect(!written.isEmpty)
    var ending: HTTP3Error?
    while let event = client.nextEvent() {
      if case .closed(let error) = event { ending = error }
    }
    return ending
  }

  /// Without `CQUIC_conn_settle_reset_token` the client's next write meets the assertion in ngtcp2_conn.c:9980 of 1.11.0.
  @Test(arguments: [false, true])
  func theFirstConnectionIDMayBeRetiredAtOnce(_ isReversed: Bool) throws {
    let frames =
      Wire.quic(0x18, 7, 7) + [16] + [UInt8](repeating: 7, count: 16) + [UInt8](repeating: 9, count: 16)
    let ending = try Self.ending(frames, isReversed: isReversed)
    #expect(ending == nil, "\(String(describing: ending))")
  }

  @Test(arguments: [false, true])
  func aHandshakeIsNotConfirmedBeforeTheClientFinished(_ isReversed: Bool) throws {
    let ending = try Self.ending([0x1e], isReversed: isReversed)
    #expect(ending?.code == .transport(.protocolViolation), "\(String(describing: ending))")
  }
}
