import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

@Suite struct HTTP3LoopbackTests {
  @Test(.timeLimit(.minutes(10))) func tenMebibytesGoBothWays() async throws {
    let bytes = (0..<(10 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    try await HTTP3TestServer.run { server in
      let transport = server.makeTransport()
      let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes(bytes))
      let echoed = try await response.body.collect(upTo: 11 << 20)
      #expect(echoed == bytes)
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func aHundredStreamsAtOnceAreAnsweredOverOneConnection() async throws {
    try await HTTP3TestServer.run { server in
      let transport = server.makeTransport()
      let connections = try await withThrowingTaskGroup(of: ConnectionInfo.self) { group in
        for number in 0..<100 {
          group.addTask {
            let bytes = [UInt8](repeating: UInt8(number), count: 10_000 + number)
            let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes(bytes))
            let echoed = try await response.body.collect(upTo: 20_000)
            #expect(echoed == bytes, "stream \(number)")
            return response.connection
          }
        }
        return try await group.reduce(into: Set<ConnectionInfo>()) { $0.insert($1) }
      }
      #expect(connections.count == 1)
      await transport.close()
    }
  }

  /// Each is answered when all have come.
  @Test(.timeLimit(.minutes(10))) func aThousandStreamsAreOpenAtOnce() async throws {
    let arrived = Mutex(0)
    let all = Gate()
    try await HTTP3TestServer.run(
      configure: { $0.limits.maximumRequestsPerConnection = 1_000 },
      handler: { exchange in
        let count = arrived.withLock { arrived in
          arrived += 1
          return arrived
        }
        if count == 1_000 { all.open() }
        await all.wait()
        await HTTP3TestServer.echo(exchange)
      }
    ) { server in
      let transport = server.makeTransport()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1_000 {
          group.addTask {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100 + number)
            let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes(bytes))
            return try await response.body.collect(upTo: 2_000) == bytes
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      await transport.close()
    }
    #expect(arrived.withLock { $0 } == 1_000)
  }

  @Test(.timeLimit(.minutes(10))) func moreRequestsThanTheServerAllowsWaitForTheirTurn() async throws {
    try await HTTP3TestServer.run(configure: {
      $0.limits.maximumRequestsPerConnection = 3
    }) { server in
      let transport = server.makeTransport()
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<50 {
          group.addTask { try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0).count }
        }
        try await group.waitForAll()
      }
      await transport.close()
    }
  }

  /// So many wake up when the server allows more streams that answers come before all of them have had their turn.
  @Test(.timeLimit(.minutes(10))) func thousandsOfShortRequestsThatWaitForAStreamAreAllAnswered() async throws {
    try await HTTP3TestServer.run(configure: {
      $0.limits.maximumRequestsPerConnection = 100
    }) { server in
      let transport = server.makeTransport()
      let answered = try await withThrowingTaskGroup(of: Int.self) { group in
        var answered = 0
        for number in 0..<2_000 {
          if number >= 256 { answered += try await group.next() ?? 0 }
          group.addTask { try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0).count + 1 }
        }
        for try await one in group { answered += one }
        return answered
      }
      #expect(answered == 2_000)
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func leavingTheBodyCancelsTheServersTask() async throws {
    let (cancelled, report) = AsyncStream.makeStream(of: Void.self)
    try await HTTP3TestServer.run(handler: { exchange in
      await withTaskCancellationHandler {
        try? await exchange.respond(HTTPResponse(status: .ok))
        // A handler that waits for something else than the client.
        let (never, source) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        withExtendedLifetime(source) {}
      } onCancel: {
        report.yield()
      }
    }) { server in
      let transport = server.makeTransport()
      let response = try await transport.send(HTTPRequest(path: "/"))
      response.body.cancel()
      for await _ in cancelled { break }
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func closingTheTransportCancelsTheServersTask() async throws {
    let (cancelled, report) = AsyncStream.makeStream(of: Void.self)
    try await HTTP3TestServer.run(handler: { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      do {
        while true { try await exchange.write([UInt8](repeating: 0, count: 1_000)) }
      } catch {
        report.yield()
      }
    }) { server in
      let transport = server.makeTransport()
      let response = try await transport.send(HTTPRequest(path: "/"))
      await transport.close()
      let code = try await failureCode { for try await _ in response.body {} }
      #expect(code == .cancelled)
      for await _ in cancelled { break }
    }
  }

  @Test(.timeLimit(.minutes(10))) func aHandlerThatReturnsTooEarlyIsNoCompleteBody() async throws {
    try await HTTP3TestServer.run(handler: { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write([1, 2, 3])
    }) { server in
      let transport = server.makeTransport()
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 10)
      }
      #expect(error?.code == .streamReset)
      #expect(error?.wireCode == "H3_INTERNAL_ERROR")
      await transport.close()
    }
  }
}
