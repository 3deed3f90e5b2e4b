import HTTPTypes
import StreamTransport
import TestSupport
import Testing

@Suite struct HTTP3ServerLifeTests {
  @Test(.timeLimit(.minutes(10))) func handlersThatOutliveTheirStreamsAreLimited() async throws {
    let gate = Gate()
    try await HTTP3TestServer.run(
      configure: { $0.limits.maximumRequestsPerConnection = 2 },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        // Deaf to its cancellation, as a handler may be.
        await gate.wait()
        try? await exchange.finish()
      }
    ) { server in
      let transport = server.makeTransport()
      for _ in 0..<4 { try await transport.send(HTTPRequest(path: "/")).body.cancel() }
      let code = try await failureCode { _ = try await transport.send(HTTPRequest(path: "/")) }
      #expect(code == .streamReset)
      gate.open()
      var isServed = false
      while !isServed {
        isServed =
          try await failureCode {
            _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
          } == nil
      }
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func drainingLetsARunningRequestFinish() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (permissions, permit) = AsyncStream.makeStream(of: Void.self)
    try await HTTP3TestServer.run(handler: { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write([1])
      begin.yield()
      for await _ in permissions { break }
      try? await exchange.write([2])
      try? await exchange.finish()
    }) { server in
      let transport = server.makeTransport()
      let response = try await transport.send(HTTPRequest(path: "/"))
      for await _ in begun { break }
      async let drained: Void = server.server.drain(within: .seconds(30))
      var seen: [UInt8] = []
      for try await chunk in response.body {
        seen += chunk
        permit.yield()
      }
      #expect(seen == [1, 2])
      await drained
      // Nobody is there any more.
      let code = try await failureCode { _ = try await transport.send(HTTPRequest(path: "/")) }
      #expect(code != nil)
      await transport.close()
    }
  }

  /// A limit of nothing is over before the drain can wait for it.
  @Test(.timeLimit(.minutes(10)), arguments: [Duration.milliseconds(50), .zero])
  func drainingEndsAtItsLimit(_ limit: Duration) async throws {
    let (cancelled, report) = AsyncStream.makeStream(of: Void.self)
    try await HTTP3TestServer.run(handler: { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      do {
        for try await _ in exchange.body {}
      } catch {
        report.yield()
      }
    }) { server in
      let transport = server.makeTransport()
      let (chunks, source) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
      let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .stream(chunks))
      await server.server.drain(within: limit)
      for await _ in cancelled { break }
      let code = try await failureCode { for try await _ in response.body {} }
      #expect(code == .connectionLost)
      withExtendedLifetime(source) {}
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func theNextRequestConnectsAgainAfterTheServerWasReplaced() async throws {
    let host = "127.83.2.6"
    let first = try await HTTP3TestServer.start(host: host)
    let transport = first.makeTransport()
    let before = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes([1]))
    #expect(try await before.body.collect(upTo: 10) == [1])
    await first.server.close()
    try await HTTP3TestServer.run(certificate: first.certificate, host: host, port: first.port) { _ in
      // The first attempt may still meet the old connection, whose end is on its way, or on a busy machine, where that
      // seemed dead, one beside it that was begun while nobody listened.
      var answer: [UInt8]?
      var attempts = 0
      while answer == nil, attempts < 100 {
        attempts += 1
        do {
          let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes([2]))
          answer = try await response.body.collect(upTo: 10)
        } catch let error as TransportError {
          #expect([.connectionLost, .notProcessed, .connectionRefused].contains(error.code), "\(error)")
        }
      }
      #expect(answer == [2])
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: [101, 200, 404])
  func whatIsNoInterimResponseIsNotSentAsOne(status: Int) async throws {
    try await HTTP3TestServer.run(handler: { exchange in
      let code = try? await failureCode {
        try await exchange.sendInformational(HTTPResponse(status: .init(code: status)))
      }
      try? await exchange.respond(HTTPResponse(status: code == .invalidRequest ? .ok : .internalServerError))
      try? await exchange.finish()
    }) { server in
      let transport = server.makeTransport()
      let response = try await transport.send(HTTPRequest(path: "/"))
      #expect(response.head.status == .ok && response.interimResponses.isEmpty)
      await transport.close()
    }
  }

  @Test(.timeLimit(.minutes(10))) func aConnectionBeyondTheLimitIsRefusedAtOnce() async throws {
    try await HTTP3TestServer.run(configure: {
      $0.limits.maximumConnections = 1
    }) { server in
      let first = server.makeTransport()
      _ = try await first.connect()
      let second = server.makeTransport()
      let code = try await failureCode { _ = try await second.connect() }
      #expect(code == .connectionRefused)
      // The first one is not disturbed.
      let response = try await first.send(HTTPRequest(path: "/"))
      #expect(response.head.status == .ok)
      await first.close()
    }
  }
}
