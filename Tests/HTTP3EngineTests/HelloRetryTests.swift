import HTTP3Engine
import TestSupport
import Testing

/// A handshake in which the server asks for another key share (HelloRetryRequest, RFC 8446 § 4.1.4), with and without early
/// data.
@Suite struct HelloRetryTests {
  private static func ticket(_ pair: QUICPair) throws -> ResumptionTicket {
    let first = RequestClient(on: pair)
    try pair.run { !first.tickets.isEmpty }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(2))
    return first.tickets[0]
  }

  @Test func aServerMayAskForAnotherGroup() throws {
    let pair = try QUICPair.make(server: { $0.connection.keyExchangeGroups = [.secp384r1] })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100))
    #expect(server.requests.count == 1)
  }

  /// GnuTLS cannot take early data back: the client ends, and a connection without the ticket is made.
  @Test func aServerThatAsksBesideEarlyDataEndsTheClientsAttempt() throws {
    let pair = try QUICPair.make(server: { $0.connection.keyExchangeGroups = [.secp384r1] })
    let ticket = try Self.ticket(pair)
    try pair.replaceClient(QUICPair.clientConfiguration { $0.ticket = ticket })
    let client = RequestClient(on: pair)
    client.send("GET", "/")
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .earlyDataRetry)
  }

  /// GnuTLS would take the early data first and ask then, and the library would read it without transport parameters.
  @Test func aServerTakesNoEarlyDataWithoutAKeyShare() throws {
    let pair = try QUICPair.make()
    let ticket = try Self.ticket(pair)
    let server = EchoServer(on: pair)
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.ticket = ticket
        $0.connection.keyExchangeGroups = [.x448, .x25519]
      })
    let client = RequestClient(on: pair)
    client.send("GET", "/")
    try pair.run { client.closed != nil || client.isDone }
    #expect(server.earlyRequests == 0)
    // The server lives and serves others.
    try pair.replaceClient(QUICPair.clientConfiguration())
    let next = RequestClient(on: pair)
    next.send("GET", "/bytes/100")
    try pair.run { next.isDone }
    #expect(next.answers[0].body == EchoServer.pattern(100))
  }
}
