import TestSupport
import Testing

@testable import HTTP3Engine

/// The libraries and the parts of a connection point at each other; none of them keeps it.
@Suite struct ConnectionLifetimeTests {
  private static let mappings: [ApplicationProtocol] = [.http3, .http09]

  private static func pair(_ mapping: ApplicationProtocol) throws -> QUICPair {
    try QUICPair.make(
      clientLimits: {
        $0.mapping = mapping
        $0.qlog = QlogConfiguration()
      },
      server: {
        $0.connection.mapping = mapping
        $0.connection.qlog = QlogConfiguration()
      })
  }

  @Test(arguments: mappings)
  func aClientGoesWithItsOwner(_ mapping: ApplicationProtocol) throws {
    let pair = try Self.pair(mapping)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100000")
    try pair.run { client.isDone }
    weak let first = pair.client
    // One that is closed, and one in the middle of a response.
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run { !server.connectionErrors.isEmpty }
    try pair.replaceClient(try QUICPair.clientConfiguration { $0.connection.mapping = mapping })
    #expect(first == nil)
    let other = RequestClient(on: pair)
    other.send("GET", "/bytes/1000000")
    try pair.run { other.answers[0].status == "200" }
    weak let second = pair.client
    try pair.replaceClient(try QUICPair.clientConfiguration { $0.connection.mapping = mapping })
    #expect(second == nil)
  }

  @Test(arguments: mappings)
  func aServersConnectionGoesWhenItIsOver(_ mapping: ApplicationProtocol) throws {
    let pair = try Self.pair(mapping)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/1000000")
    try pair.run { client.answers[0].status == "200" }
    weak let connection = pair.server.connection(try #require(server.keys.first))
    #expect(connection != nil)
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(30))
    #expect(connection == nil)
  }

  /// A request that anybody may have replayed stays one for a caller that looks at it after the connection's end (RFC 8470 § 5.2).
  @Test func aRequestThatCameEarlyIsKnownAsOneWhenTheConnectionIsClosed() throws {
    let pair = try QUICPair.make()
    _ = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { first.tickets.count >= 2 }
    let ticket = first.tickets[0]
    var marks: [Bool] = []
    try pair.replaceClient(try QUICPair.clientConfiguration { $0.ticket = ticket })
    pair.onServer = { [unowned pair] key, event in
      guard case .headersReceived(let id, _) = event, let connection = pair.server.connection(key) else { return }
      marks.append(connection.arrivedEarly(id))
      connection.close(.noError, reason: "", at: pair.now)
      connection.dropBodies()
      marks.append(connection.arrivedEarly(id))
    }
    let client = RequestClient(on: pair)
    client.send("POST", "/echo", body: [1, 2, 3])
    try pair.run { client.closed != nil }
    #expect(marks == [true, true])
  }

  /// The mark is there whatever happens to the bytes: fields may wait for others, or break the rules.
  @Test func earlyDataIsMarkedBeforeItIsRead() {
    let mapping = StreamMapping(ConnectionConfiguration(), isServer: true, events: EventQueue())
    let id = StreamID(0)
    // There is no session yet that could read it.
    let error = #expect(throws: HTTP3Error.self) {
      try [UInt8](repeating: 0, count: 4).withUnsafeBytes {
        try mapping.receive($0, on: id, at: 0, isLast: false, isEarly: true)
      }
    }
    #expect(error?.code == .transport(.internalError))
    #expect(mapping.requests?.arrivedEarly(id) == true)
    #expect(mapping.requests?.arrivedEarly(StreamID(4)) == false)
  }
}
