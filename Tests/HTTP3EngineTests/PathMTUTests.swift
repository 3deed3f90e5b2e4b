import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Datagrams become as large as the path carries (RFC 8899, RFC 9000 § 14.3), and the path need not say how large.
@Suite struct PathMTUTests {
  struct Row: CustomTestStringConvertible {
    /// The largest IP packet that the link carries.
    var mtu: Int
    /// The UDP payload that is used in the end, of those that the library tries.
    var payload: Int
    var testDescription: String { "\(mtu)" }
  }

  @Test(arguments: [
    Row(mtu: 1_228, payload: 1_200), Row(mtu: 1_280, payload: 1_232), Row(mtu: 1_300, payload: 1_232),
    Row(mtu: 1_400, payload: 1_342), Row(mtu: 1_450, payload: 1_406), Row(mtu: 1_500, payload: 1_444),
  ])
  func datagramsAreAsLargeAsThePathCarries(_ row: Row) throws {
    var conditions = VirtualLink.plain
    conditions.toServer.maximumPacketBytes = row.mtu
    conditions.toClient.maximumPacketBytes = row.mtu
    let pair = try QUICPair.make(conditions: conditions)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let body = EchoServer.pattern(200_000)
    for index in 0..<2 {
      client.send("POST", "/echo", body: body)
      try pair.run { client.isDone }
      #expect(client.answers[index].body == body)
      // A probe that is too large is given up after some time-outs.
      try pair.run(for: .seconds(20))
    }
    #expect(pair.link.largestDelivered == [.toServer: row.payload, .toClient: row.payload])
    #expect(server.connectionErrors.isEmpty)
  }

  /// A client's choice: without probes the library would end a server's process when a client moves there and back.
  @Test func aClientTriesNothingLargeWhereThatIsNotWanted() throws {
    let pair = try QUICPair.make(clientLimits: { $0.probesPathMTU = false })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("POST", "/echo", body: EchoServer.pattern(200_000))
    try pair.run { client.isDone }
    try pair.run(for: .seconds(20))
    #expect(pair.link.largestDelivered[.toServer] == 1_200)
    #expect(server.requests.count == 1)
  }
}
