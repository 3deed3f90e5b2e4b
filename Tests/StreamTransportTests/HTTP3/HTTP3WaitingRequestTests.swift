import HTTPTypes
import StreamTransport
import Testing

/// Requests that wait until the server allows more.
@Suite(.timeLimit(.minutes(3))) struct HTTP3WaitingRequestTests {
  /// A response may be there before the task that asked for it goes on: none is lost, and none is taken for broken.
  @Test func allAreAnswered() async throws {
    try await HTTP3TestServer.run(configure: { $0.maximumRequestsPerConnection = 5 }) { server in
      var configuration = HTTP3TransportConfiguration()
      configuration.maximumWaitingRequests = 3_000
      let transport = server.makeTransport(configuration: configuration)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<2_000 {
          group.addTask {
            let body = Array("\(number)".utf8)
            let response = try await transport.send(HTTPRequest(.put, path: "/\(number)"), body: .bytes(body))
            #expect(try await response.body.collect(upTo: 10) == body)
          }
        }
        try await group.waitForAll()
      }
      await transport.close()
    }
  }
}
