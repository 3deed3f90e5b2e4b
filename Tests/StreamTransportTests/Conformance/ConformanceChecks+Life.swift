import HTTPTypes
import StreamTransport
import Synchronization

extension ConformanceChecks {
  func runsManyRequestsAtOnce() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write(Array((exchange.request.path ?? "").utf8))
      try await exchange.finish()
    } body: { transport in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(path: "/\(number)"))
            let body = try await response.body.collect(upTo: 100)
            try require(body == Array("/\(number)".utf8), "\(number) got another's answer")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  func leavingTheBodyCancels() async throws {
    try await endsAtTheServer { transport in
      let response = try await transport.send(HTTPRequest(path: "/endless"))
      for try await _ in response.body { break }
    }
  }

  func cancellingTheTaskCancels() async throws {
    try await endsAtTheServer { transport in
      let (firstChunk, came) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        let response = try await transport.send(HTTPRequest(path: "/endless"))
        for try await _ in response.body { came.yield() }
      }
      for await _ in firstChunk { break }
      reader.cancel()
      let outcome = await reader.result
      try require((try? outcome.get()) == nil, "the reader ended as if the body had ended")
    }
  }

  /// An endless response whose writer must notice that the client is gone.
  private func endsAtTheServer(
    _ client: @escaping @Sendable (any HTTPTransport) async throws -> Void
  ) async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    try await subject.run { exchange in
      guard exchange.request.path == "/endless" else {
        try await exchange.respond(HTTPResponse(status: .ok))
        return try await exchange.finish()
      }
      defer { ended.yield() }
      try await exchange.respond(HTTPResponse(status: .ok))
      while true { try await exchange.write([UInt8](repeating: 1, count: 1_000)) }
    } body: { transport in
      try await client(transport)
      for await _ in ends { break }
      // The transport is as good as new.
      let after = try await transport.send(HTTPRequest(path: "/"))
      try require(after.head.status == .ok, "status \(after.head.status)")
    }
  }

  func aBrokenOffBodyIsAnError() async throws {
    try await subject.run { exchange in
      let length = exchange.request.path == "/length"
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: length ? [.contentLength: "100"] : [:]))
      try await exchange.write([1, 2, 3])
      // The client has seen the first bytes by the time it sends its own.
      for try await _ in exchange.body {}
      await exchange.abort()
    } body: { transport in
      for path in ["/length", "/open-ended"] {
        let (chunks, source) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let response = try await transport.send(HTTPRequest(.post, path: path), body: .stream(chunks))
        var seen: [UInt8] = []
        do {
          for try await chunk in response.body {
            seen += chunk
            source.finish()
          }
          throw ConformanceFailure(description: "\(path): a cut body ended as if it were whole, \(seen.count) bytes")
        } catch let error as TransportError {
          try require([.connectionLost, .streamReset].contains(error.code), "\(path): \(error.code)")
          try require(seen == [1, 2, 3], "\(path): \(seen)")
        }
      }
    }
  }

  func slowReaderHoldsTheServerBack() async throws {
    let total = subject.bytesThatDoNotFit
    let written = Mutex(0)
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      if exchange.request.path == "/large" {
        let chunk = [UInt8](repeating: 9, count: 64 << 10)
        for _ in 0..<(total / chunk.count) {
          try await exchange.write(chunk)
          written.withLock { $0 += chunk.count }
        }
      }
      try await exchange.finish()
    } body: { transport in
      let response = try await transport.send(HTTPRequest(path: "/large"))
      // Round trips of other requests stand in for a clock: the writer has stopped when they change nothing.
      var last = -1
      var unchanged = 0
      while unchanged < 40 {
        _ = try await transport.send(HTTPRequest(path: "/ping")).body.collect(upTo: 0)
        let now = written.withLock { $0 }
        unchanged = now == last ? unchanged + 1 : 0
        last = now
      }
      try require(last < total * 3 / 4, "\(last) bytes were written though nobody read")
      var count = 0
      for try await chunk in response.body { count += chunk.count }
      try require(count == total, "\(count) bytes of \(total)")
    }
  }

  func connectIsSharedAndCostsNothingAgain() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    } body: { transport in
      let connections = try await withThrowingTaskGroup(of: ConnectionInfo.self) { group in
        for _ in 0..<8 { group.addTask { try await transport.connect() } }
        return try await group.reduce(into: Set<ConnectionInfo>()) { $0.insert($1) }
      }
      try require(connections.count == 1, "\(connections.count) connections were made")
      let again = try await transport.connect()
      try require(connections.contains(again), "another connection was made")
      let response = try await transport.send(HTTPRequest(path: "/"))
      try require(response.connection == again, "the request went over another connection")
      let snapshot = await transport.snapshot()
      try require(snapshot?.connection == again, "\(String(describing: snapshot))")
    }
  }

  func worksAgainAfterClose() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    } body: { transport in
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequest(path: "/"))
        try require(response.head.status == .ok, "status \(response.head.status)")
        await transport.close()
        await transport.close()
      }
    }
  }

  func closeFailsWhatIsInFlight() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write([1])
      for try await _ in exchange.body {}
    } body: { transport in
      let (chunks, source) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
      let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .stream(chunks))
      do {
        for try await _ in response.body { await transport.close() }
        throw ConformanceFailure(description: "the body ended as if it were whole")
      } catch let error as TransportError {
        try require([.cancelled, .connectionLost].contains(error.code), "\(error.code)")
      }
      withExtendedLifetime(source) {}
    }
  }

  func leavingItsScopeFailsWhatIsInFlight() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write([1])
      for try await _ in exchange.body {}
    } body: { transport in
      let (chunks, source) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
      let response = try await Self.responseOutOfScope(transport, .stream(chunks))
      do {
        for try await _ in response.body {}
        throw ConformanceFailure(description: "the body ended as if it were whole")
      } catch let error as TransportError {
        try require([.cancelled, .connectionLost].contains(error.code), "\(error.code)")
      }
      withExtendedLifetime(source) {}
    }
  }

  private struct Left: Error {
    let response: TransportResponse
  }

  /// A response that an error carries out of the scope in which its transport is open.
  private static func responseOutOfScope(
    _ transport: some HTTPTransport, _ body: RequestBody
  ) async throws -> TransportResponse {
    do {
      return try await withTransport(transport) { transport in
        throw Left(response: try await transport.send(HTTPRequest(.post, path: "/"), body: body))
      }
    } catch let left as Left {
      return left.response
    }
  }

  func refuses(_ request: HTTPRequest) async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    } body: { transport in
      do {
        _ = try await transport.send(request)
        throw ConformanceFailure(description: "it was sent")
      } catch let error as TransportError {
        try require(error.code == .invalidRequest, "\(error.code)")
      }
    }
  }

  func aFailingRequestBodyIsAnError() async throws {
    try await subject.run { exchange in
      for try await _ in exchange.body {}
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    } body: { transport in
      let body = Chunks([[1], [2]], error: ConformanceFailure(description: "no more"))
      do {
        _ = try await transport.send(HTTPRequest(.post, path: "/"), body: .stream(body))
        throw ConformanceFailure(description: "a request cut short was answered")
      } catch let error as TransportError {
        try require(error.code == .invalidRequest, "\(error.code)")
      }
    }
  }
}
