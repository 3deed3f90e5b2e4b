import HTTP3Engine
import TestSupport
import Testing

/// No connection without an application protocol that both sides named (RFC 9001 § 8.1).
@Suite struct ApplicationProtocolTests {
  private static let noApplicationProtocol = HTTP3Error.Code.tlsAlert(120)

  /// The endings of client and server.
  private static func endings(
    _ pair: QUICPair
  ) throws -> (client: HTTP3Error?, server: HTTP3Error?, isEstablished: Bool) {
    var (client, server): (HTTP3Error?, HTTP3Error?)
    var isEstablished = false
    pair.onClient = { if case .closed(let error) = $0 { client = error } }
    pair.onServer = {
      switch $1 {
      case .closed(let error): server = error
      case .handshakeCompleted, .headersReceived: isEstablished = true
      default: break
      }
    }
    try pair.run(for: .seconds(2))
    return (client, server, isEstablished)
  }

  @Test(arguments: ["", "h0"])
  func aServerRefusesAClientThatNamesNoneOrAnother(_ name: String) throws {
    let pair = try QUICPair.make()
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.isRaw = true
        $0.applicationProtocol = name
      })
    let endings = try Self.endings(pair)
    #expect(endings.server?.code == Self.noApplicationProtocol)
    #expect(endings.client?.code == Self.noApplicationProtocol)
    #expect(endings.client?.side == .remote)
    #expect(!endings.isEstablished)
  }

  /// Early data would be answered before the handshake ends.
  @Test func aServerTakesNoEarlyDataOfAClientThatNamesNone() throws {
    let pair = try QUICPair.make()
    let first = RequestClient(on: pair)
    try pair.run { !first.tickets.isEmpty }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(2))
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.isRaw = true
        $0.applicationProtocol = ""
        $0.ticket = first.tickets[0]
      })
    let endings = try Self.endings(pair)
    #expect(endings.server?.code == Self.noApplicationProtocol)
    #expect(!endings.isEstablished)
  }

  @Test func aClientRefusesAServerThatAgreesOnNone() throws {
    let pair = try QUICPair.make(server: {
      $0.connection.isRaw = true
      $0.applicationProtocol = ""
    })
    let endings = try Self.endings(pair)
    #expect(endings.client?.code == Self.noApplicationProtocol)
    #expect(endings.client?.side == .local)
    #expect(endings.server?.code == Self.noApplicationProtocol)
  }
}
