import HTTP3Engine
import HTTPTypes
import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(1))) struct HTTP3EndedConnectionTests {
  /// In one turn of the loop the connection ends and a request is made.
  private func endAndSend(_ connection: isolated HTTP3ClientConnection, _ transport: HTTP3Transport) async throws {
    connection.engine.close(.noError, reason: "", at: connection.loop.now)
    do {
      _ = try await connection.send(try transport.prepare(HTTPRequest(path: "/"), body: .none))
      Issue.record("A connection that has ended took a request.")
    } catch is UnsentRequest {
      #expect(transport.connections.usable == nil, "It would be chosen again.")
    }
  }

  @Test func aRequestThatMeetsTheEndGoesToAnotherConnection() async throws {
    try await HTTP3TestServer.run { server in
      let transport = server.makeTransport()
      _ = try await transport.connect()
      let connection = try #require(transport.connections.usable)
      try await endAndSend(connection, transport)
      #expect(try await transport.send(HTTPRequest(path: "/")).head.status == .ok)
      #expect(transport.connections.usable !== connection)
      await transport.close()
    }
  }
}
