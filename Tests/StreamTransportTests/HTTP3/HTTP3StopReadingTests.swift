import HTTP3Engine
import HTTPTypes
import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(10))) struct HTTP3StopReadingTests {
  /// Says that no more is wanted of the response, and no more than that.
  private func stopReading(_ connection: isolated HTTP3ClientConnection) {
    for id in connection.streams.ids { connection.engine.stopReading(id) }
    connection.pass()
  }

  /// The rest of the request would fill windows that nobody empties, and hold the stream's place.
  @Test func aClientThatWantsNoResponseIsAskedToSendNoMore() async throws {
    // One that leaves the end of it to the server.
    let handler: HTTP3TestServer.Handler = { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      do {
        for try await chunk in exchange.body { try await exchange.write(chunk) }
      } catch {}
    }
    try await HTTP3TestServer.run(handler: handler) { server in
      let transport = server.makeTransport()
      let endless = AsyncThrowingStream<[UInt8], any Error> { [UInt8](repeating: 7, count: 16_384) }
      let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .stream(endless))
      try await stopReading(#require(transport.connections.usable))
      // It ends when the server has given the stream up.
      await #expect(throws: TransportError.self) { for try await _ in response.body {} }
      await server.server.drain(within: .seconds(120))
      await transport.close()
    }
  }
}
