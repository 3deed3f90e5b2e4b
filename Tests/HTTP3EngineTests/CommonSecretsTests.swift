import Foundation
import HTTP3Engine
import TestSupport
import Testing

/// What the endpoints of one server share, of which each may be on a loop of its own.
@Suite struct CommonSecretsTests {
  private static func random(_ seed: UInt64) -> RandomSource { RandomSource(SeededGenerator(seed: seed)) }

  /// Early data that is sent again to another endpoint. Two servers that share their secrets alone may take it once each.
  @Test(arguments: [true, false]) func earlyDataIsTakenOnceByAllEndpoints(_ isOneServer: Bool) throws {
    let start = Int(Date.now.timeIntervalSince1970)
    let configuration = try QUICPair.serverConfiguration {
      $0.secrets = [[UInt8](repeating: 1, count: 32)]
      $0.secondsSince1970 = { start }
    }
    let common = isOneServer ? CommonSecrets(configuration, random: Self.random(7)) : nil
    let pair = try QUICPair.make()
    pair.replaceServer(configuration, common: common)
    let other = HTTP3ServerEndpoint(configuration, random: Self.random(8), common: common)
    let server = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { !first.tickets.isEmpty }

    var datagrams: [[UInt8]] = []
    pair.onClientDatagram = {
      datagrams.append($0)
      return true
    }
    let ticket = first.tickets[0]
    try pair.replaceClient(QUICPair.clientConfiguration { $0.ticket = ticket })
    let second = RequestClient(on: pair)
    second.send("GET", "/bytes/10")
    try pair.run { second.isDone }
    #expect(second.handshake?.earlyData == .accepted && server.earlyRequests == 1)

    let path = NetworkPath(local: pair.clientPath.remote, remote: pair.clientPath.local)
    for datagram in datagrams {
      datagram.withUnsafeBytes { other.receive($0, on: path, ecn: .notECT, at: pair.now) }
    }
    var batch = DatagramBatch()
    defer { batch.deallocate() }
    while other.fill(&batch, at: pair.now) {}
    var requests = 0
    while let (_, event) = other.nextEvent() {
      if case .headersReceived = event { requests += 1 }
    }
    #expect(other.connectionCount == 1)
    #expect(requests == (isOneServer ? 0 : 1))
  }

  /// A round trip of 40 ms more is a Retry.
  private static func handshakeTime(_ pair: QUICPair, token: [UInt8]) throws -> Duration {
    try pair.replaceClient(QUICPair.clientConfiguration { $0.token = token })
    let client = RequestClient(on: pair)
    let start = pair.now
    try pair.run { client.handshake != nil }
    return pair.now - start
  }

  @Test func aTokenIsGoodAtEachEndpointAndUsedUpAtAll() throws {
    let configuration = try QUICPair.serverConfiguration { $0.addressValidation = .always }
    let common = CommonSecrets(configuration, random: Self.random(7))
    let pair = try QUICPair.make()
    pair.replaceServer(configuration, common: common)
    let client = RequestClient(on: pair)
    try pair.run { !client.tokens.isEmpty }
    let token = client.tokens[0]
    pair.replaceServer(configuration, common: common)
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(40))
    pair.replaceServer(configuration, common: common)
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(80))
  }

  @Test func aTicketIsGoodAtEachEndpoint() throws {
    let configuration = try QUICPair.serverConfiguration()
    let common = CommonSecrets(configuration, random: Self.random(7))
    let pair = try QUICPair.make()
    pair.replaceServer(configuration, common: common)
    let first = RequestClient(on: pair)
    try pair.run { !first.tickets.isEmpty }
    let ticket = first.tickets[0]
    pair.replaceServer(configuration, common: common)
    try pair.replaceClient(QUICPair.clientConfiguration { $0.ticket = ticket })
    let second = RequestClient(on: pair)
    try pair.run { second.handshake != nil }
    #expect(second.handshake?.isResumed == true)
  }
}
