import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Stalled exchanges that a server ends, over loopback, seen by engines that leave open what others would not.
@Suite(.timeLimit(.minutes(10))) struct ServerTimeLimitTests {
  private let limited = LimitedServer()

  @Test func fieldsThatDoNotComeInTimeEndTheRequest() async throws {
    try await limited.run({ $0.limits.headerTimeout = .milliseconds(100) }) { server in
      let client = try await server.client() { $0.isRaw = true }
      #expect(await client.outcome == nil)
      let id = try #require(await client.beginRequest())
      await until { await client.rawResets[id] != nil }
      #expect(await client.rawResets[id] == ApplicationErrorCode.requestIncomplete.rawValue)
      #expect(await client.closed == nil)
    }
    #expect(limited.refusals == ["headerTimeout": 1])
  }

  @Test func aBodyThatDoesNotComeInTimeIsAnsweredWith408BeforeTheResponse() async throws {
    let cancelled = Gate()
    try await limited.run(
      { $0.limits.bodyTimeout = .milliseconds(100) },
      handler: { exchange in
        do {
          for try await _ in exchange.body {}
        } catch let error as TransportError {
          #expect(error.code == .idleTimeout)
          cancelled.open()
        } catch {}
      }
    ) { server in
      let client = try await server.client()
      #expect(await client.outcome == nil)
      let id = try await client.send("/", method: "POST", endStream: false)
      await until { await client.completed.contains(id) }
      #expect(await client.statuses[id] == "408")
      await cancelled.wait()
    }
    #expect(limited.refusals == ["bodyTimeout": 1])
  }

  @Test func aBodyThatDoesNotComeInTimeBehindTheResponsesFieldsIsReset() async throws {
    try await limited.run({ $0.limits.bodyTimeout = .milliseconds(100) }) { server in
      let client = try await server.client()
      #expect(await client.outcome == nil)
      let id = try await client.send("/", method: "POST", endStream: false)
      await until {
        if await client.resets[id] != nil { return true }
        return await client.completed.contains(id)
      }
      // On a busy machine the time may be over before the handler responds; 408 is right then.
      if await client.statuses[id] != "408" {
        #expect(await client.resets[id]?.code == .application(.requestIncomplete))
        #expect(await client.statuses[id] == "200")
      }
    }
    #expect(limited.refusals == ["bodyTimeout": 1])
  }

  /// The client acknowledges every packet and gives no credit: for a body, and for the response's very fields.
  @Test(arguments: [UInt64(1_000), 0]) func aResponseWithoutCreditIsReset(window: UInt64) async throws {
    let failed = Gate()
    try await limited.run(
      { $0.limits.writeTimeout = .seconds(2) },
      handler: { exchange in
        do {
          try await exchange.respond(HTTPResponse(status: .ok))
          while true { try await exchange.write([UInt8](repeating: 7, count: 64 << 10)) }
        } catch {
          failed.open()
        }
      }
    ) { server in
      var manner = EngineClient.Manner()
      manner.consumes = false
      let client = try await server.client(manner: manner) {
        $0.streamWindow = window
        $0.keepAlive = .milliseconds(100)
      }
      #expect(await client.outcome == nil)
      let id = try await client.send("/")
      await failed.wait()
      await until { await client.resets[id] != nil }
      #expect(await client.resets[id]?.code == .application(.requestCancelled))
      #expect(await client.closed == nil)
    }
    #expect(limited.refusals == ["writeTimeout": 1])
  }

  /// Its event comes after the limit has passed. A starved client takes its response late, so that the limit is a long one.
  @Test func anEventStreamMayBeSilent() async throws {
    let speaks = Gate()
    try await limited.run(
      {
        $0.limits.writeTimeout = .seconds(10)
        $0.limits.bodyTimeout = .seconds(4)
        $0.limits.headerTimeout = .seconds(10)
      },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        if exchange.request.path == "/stalls" { return _ = try? await waitForCancellation() }
        await speaks.wait()
        try? await exchange.write([1])
        try? await exchange.finish()
      }
    ) { server in
      let client = try await server.client()
      #expect(await client.outcome == nil)
      let silent = try await client.send("/")
      await until {
        if await client.resets[silent] != nil { return true }
        return await client.statuses[silent] != nil
      }
      try #require(await client.resets[silent] == nil)
      // Three time-outs one after the other, on which no event depends.
      let other = try await server.client(from: 2)
      #expect(await other.outcome == nil)
      for _ in 0..<3 {
        let id = try await other.send("/stalls", method: "POST", endStream: false)
        await until {
          if await other.resets[id] != nil { return true }
          return await other.completed.contains(id)
        }
      }
      speaks.open()
      await until {
        if await client.resets[silent] != nil { return true }
        return await client.completed.contains(silent)
      }
      #expect(await client.received[silent] == 1)
    }
  }
}
