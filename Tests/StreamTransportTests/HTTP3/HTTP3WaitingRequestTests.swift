import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Requests that wait until the server allows more.
@Suite(.timeLimit(.minutes(10))) struct HTTP3WaitingRequestTests {
  /// A response may be there before the task that asked for it continues: none is lost, and none is taken for broken.
  @Test func allAreAnswered() async throws {
    try await HTTP3TestServer.run(configure: { $0.limits.maximumRequestsPerConnection = 5 }) { server in
      var configuration = HTTP3TransportConfiguration.patient
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

  /// On the thread that receives, each call of the connection is a turn of its own, and the end may come between any two.
  @Test(arguments: 1...16) func aCallerLearnsOfTheEndWhileItEnds(turns: Int) async throws {
    let isAnswered = Gate()
    let hold: HTTP3TestServer.Handler = { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      await isAnswered.wait()
      await exchange.reset()
    }
    try await HTTP3TestServer.run(configure: { $0.limits.maximumRequestsPerConnection = 1 }, handler: hold) { server in
      let transport = server.makeTransport()
      try await transport.onReceivingThread {
        let held = try await transport.send(HTTPRequest(path: "/"))
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<20 {
            group.addTask {
              await #expect(throws: TransportError.self) { try await transport.send(HTTPRequest(path: "/")) }
            }
          }
          for _ in 0..<turns { await Task.yield() }
          await transport.close()
        }
        isAnswered.open()
        withExtendedLifetime(held) {}
      }
    }
  }
}
