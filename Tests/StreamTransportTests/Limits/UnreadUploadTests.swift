import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Request bodies that their handlers leave unread.
@Suite(.timeLimit(.minutes(10))) struct UnreadUploadTests {
  /// More of them than the connection's window has room for; each fills its stream's.
  @Test func theyHoldUpNoOtherRequestOfTheirConnection() async throws {
    let arrived = AsyncStream.makeStream(of: Void.self)
    try await LimitedServer().run(
      { _ in },
      handler: { exchange in
        guard exchange.request.path == "/hold" else { return await HTTP3TestServer.echo(exchange) }
        arrived.continuation.yield()
        try? await waitForCancellation()
        withExtendedLifetime(exchange) {}
      }
    ) { server in
      let transport = server.makeTransport()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<12 {
          group.addTask {
            _ = try? await transport.send(
              HTTPRequest(.post, path: "/hold"), body: .bytes([UInt8](repeating: 1, count: 2 << 20)))
          }
        }
        var count = 0
        for await _ in arrived.stream {
          count += 1
          if count == 12 { break }
        }
        let bytes = [UInt8](repeating: 7, count: 3 << 20)
        let response = try await transport.send(HTTPRequest(.post, path: "/echo"), body: .bytes(bytes))
        #expect(try await response.body.collect(upTo: 4 << 20) == bytes)
        group.cancelAll()
      }
      await transport.close()
    }
  }
}
