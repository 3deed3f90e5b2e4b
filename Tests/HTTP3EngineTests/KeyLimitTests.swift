import HTTP3Engine
import TestSupport
import Testing

/// A key is changed before it has sealed too much (RFC 9001 § 6.6), with no word from the owner.
@Suite struct KeyLimitTests {
  /// Key updates that the trace tells of, by whose key it is.
  private static func updates(_ trace: [UInt8]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for record in String(decoding: trace, as: UTF8.self).split(separator: "\n")
    where record.contains("security:key_updated") {
      for side in ["client", "server"] where record.contains("\(side)_1rtt_secret") { counts[side, default: 0] += 1 }
    }
    return counts
  }

  /// Requests on a connection, with limits for each side's keys; answers what the client's trace tells.
  private static func exchange(client: UInt64?, server: UInt64?, requests: Int) throws -> [String: Int] {
    let pair = try QUICPair.make(
      clientLimits: {
        $0.packetsPerKey = client
        $0.qlog = QlogConfiguration()
      }, server: { $0.connection.packetsPerKey = server })
    let owner = EchoServer(on: pair)
    let user = RequestClient(on: pair)
    var trace: [UInt8] = []
    for index in 0..<requests {
      user.send("POST", "/echo", body: EchoServer.pattern(5_000))
      try pair.run { user.isDone }
      #expect(user.answers[index].body == EchoServer.pattern(5_000), "request \(index)")
      // Three probe time-outs lie between two updates (§ 6.5).
      try pair.run(for: .milliseconds(500))
      trace += pair.client.takeQlog()?.bytes ?? []
    }
    #expect(user.closed == nil)
    #expect(owner.connectionErrors.isEmpty)
    #expect(!trace.isEmpty)
    return updates(trace)
  }

  /// Both sides' keys change, whichever begins, and data continues.
  @Test(arguments: [true, false])
  func theKeyIsChangedAtItsLimit(_ isClients: Bool) throws {
    let counts = try Self.exchange(client: isClients ? 40 : nil, server: isClients ? nil : 40, requests: 40)
    // Some five packets a request each way.
    #expect(counts["client", default: 0] >= 4, "\(counts)")
    #expect(counts["server", default: 0] >= 4, "\(counts)")
  }

  @Test func aKeyBelowItsLimitIsKept() throws {
    #expect(try Self.exchange(client: nil, server: nil, requests: 40) == [:])
  }

  /// A connection without its next key in time ends, in place of sealing more with the old one.
  @Test func nothingIsSealedBeyondTheLimit() throws {
    let pair = try QUICPair.make(clientLimits: { $0.packetsPerKey = 40 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("POST", "/echo", body: EchoServer.pattern(1_000_000))
    try pair.run { client.isDone }
    #expect(client.closed?.code == .transport(QUICErrorCode(rawValue: 0x0f)))
    #expect(client.answers[0].isComplete == false)
    #expect(server.requests.count == 1)
  }
}
