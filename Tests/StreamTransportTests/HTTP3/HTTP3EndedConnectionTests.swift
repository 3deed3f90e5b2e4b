import HTTP3Engine
import HTTPTypes
import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(10))) struct HTTP3EndedConnectionTests {
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

  /// In one turn of the loop the connection ends and a request's body too, which finds that out first.
  private func end(
    _ connection: isolated HTTP3ClientConnection, _ body: AsyncThrowingStream<[UInt8], any Error>.Continuation
  ) {
    connection.engine.close(.internalError, reason: "The test ends it.", at: connection.loop.now)
    body.finish()
  }

  @Test func aBodyThatEndsWithItsConnectionIsNotToBlame() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let silent: HTTP3TestServer.Handler = { exchange in
      do {
        for try await _ in exchange.body { arrived.yield() }
      } catch {
        await exchange.reset()
      }
    }
    try await HTTP3TestServer.run(handler: silent) { server in
      var arrival = arrivals.makeAsyncIterator()
      for _ in 0..<20 {
        let transport = server.makeTransport()
        _ = try await transport.connect()
        let connection = try #require(transport.connections.usable)
        let (chunks, body) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        let request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
        let answer = Task { try await transport.send(request, body: .stream(chunks)) }
        body.yield([1])
        await arrival.next()
        await end(connection, body)
        await transport.close()
        let error = await #expect(throws: TransportError.self) { try await answer.value }
        #expect(error?.code != .invalidRequest, "\(String(describing: error))")
      }
    }
  }
}
