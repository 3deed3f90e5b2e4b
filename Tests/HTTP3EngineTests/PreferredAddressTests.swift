import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A server that asks to be met at another address after the handshake (RFC 9000 § 9.6).
@Suite struct PreferredAddressTests {
  static let preferred = NetworkAddress(ip: .v4(0x0a00_0003), port: 4_433)
  static let preferred6 = NetworkAddress(ip: .v6(0xfd00_0000_0000_0000, 3, scope: 0), port: 4_434)

  private static func pair(_ addresses: [NetworkAddress]) throws -> QUICPair {
    try QUICPair.make(server: { $0.preferredAddresses = addresses })
  }

  /// Orders the change when the handshake ends, as a client's owner does, and keeps what comes of it.
  private final class Mover {
    let path = NetworkPath(local: NetworkAddress(ip: .v4(0x0a00_0001), port: 41_000), remote: preferred)
    var validated: [NetworkPath] = []
    var refuted: [NetworkPath] = []

    init(on pair: QUICPair, behind client: RequestClient) {
      let next = pair.onClient
      pair.onClient = { [self] event in
        switch event {
        case .handshakeCompleted:
          #expect(pair.client.preferredAddress == preferred)
          pair.client.usePreferredAddress(path)
        case .pathValidated(let path): validated.append(path)
        case .pathValidationFailed(let path): refuted.append(path)
        default: break
        }
        next(event)
      }
    }
  }

  @Test(arguments: [false, true])
  func theClientGoesOverAndItsBodyContinues(_ isHTTP09: Bool) throws {
    let mapping = isHTTP09 ? ApplicationProtocol.http09 : .http3
    let pair = try QUICPair.make(
      clientLimits: { $0.mapping = mapping },
      server: {
        $0.preferredAddresses = [Self.preferred, Self.preferred6]
        $0.connection.mapping = mapping
      })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let mover = Mover(on: pair, behind: client)
    client.send("GET", "/bytes/2000000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(2_000_000))
    #expect(mover.validated == [mover.path])
    #expect(pair.client.currentPath == mover.path)
    #expect(pair.client.statistics.datagramsReceived > 1_000)
    #expect(server.keys.count == 1)
    #expect(pair.server.connection(server.keys[0])?.currentPath?.local == Self.preferred)
  }

  @Test func withoutAnOrderTheClientStays() throws {
    let pair = try Self.pair([Self.preferred])
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100_000))
    #expect(pair.client.currentPath == pair.clientPath)
    #expect(pair.client.preferredAddress == Self.preferred)
    #expect(server.keys.count == 1)
  }

  @Test func anAddressThatDoesNotAnswerIsLeft() throws {
    let pair = try Self.pair([Self.preferred])
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let mover = Mover(on: pair, behind: client)
    pair.translator.cutOff(mover.path.local)
    client.send("GET", "/bytes/1000000")
    try pair.run { client.isDone && !mover.refuted.isEmpty }
    #expect(client.answers[0].body == EchoServer.pattern(1_000_000))
    #expect(mover.refuted == [mover.path])
    #expect(pair.client.currentPath == pair.clientPath)
    #expect(server.keys.count == 1)
  }

  @Test func theFamilyInUseIsTaken() throws {
    func offered(_ addresses: [NetworkAddress]) throws -> NetworkAddress? {
      let pair = try Self.pair(addresses)
      let client = RequestClient(on: pair)
      try pair.run { client.handshake != nil }
      return pair.client.preferredAddress
    }
    #expect(try offered([]) == nil)
    #expect(try offered([Self.preferred6, Self.preferred]) == Self.preferred)
    #expect(try offered([Self.preferred6]) == Self.preferred6)
    // The client's own machine is not the server's to offer (§ 21.5.6).
    #expect(try offered([.loopback(port: 22)]) == nil)
    let own: [NetworkAddress.IP] = [
      .v4(0), .v6(0, 0, scope: 0), .v6(0, 1, scope: 0), .v6(0, 0xffff_7f00_0001, scope: 0),
      .v6(0, 0xffff_0000_0000, scope: 0),
    ]
    for ip in own {
      let address = NetworkAddress(ip: ip, port: 22)
      #expect(try offered([address]) == nil, "\(address)")
      if !address.isIPv4 { #expect(try offered([address, Self.preferred]) == Self.preferred, "\(address)") }
    }
  }
}
