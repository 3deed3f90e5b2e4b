import HTTPTypes
import MetricsTestKit
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// A server's counters, over loopback.
@Suite(.timeLimit(.minutes(10))) struct ServerMetricsTests {
  private let recorder = TestMetrics()
  private var metrics: TransportMetrics { TransportMetrics(factory: recorder) }

  private func get(_ path: String, _ transport: HTTP3Transport) async throws -> [UInt8] {
    try await transport.send(HTTPRequest(path: path)).body.collect(upTo: 100)
  }

  /// The counts of `name` once there are any.
  private func counts(of name: String, in recorder: TestMetrics? = nil) async -> [String: Int64] {
    let recorder = recorder ?? self.recorder
    await until { !recorder.counts(of: name).isEmpty }
    return recorder.counts(of: name)
  }

  @Test func connectionsRequestsAndPacketsAreCounted() async throws {
    try await HTTP3TestServer.run(
      metrics: metrics,
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        try? await exchange.write([1])
        // The body breaks off.
        if exchange.request.path == "/cut" { return await exchange.reset() }
        try? await exchange.finish()
      }
    ) { server in
      let store = ResumptionStore.patient
      let first = server.makeTransport(resumption: store)
      #expect(try await get("/", first) == [1])
      #expect(try await failureCode { _ = try await get("/cut", first) } == .streamReset)
      await until { await store.ticketCount(first.origin) != 0 }
      let snapshot = try #require(await first.snapshot())
      #expect(
        try #require(recorder.counts(of: "server_packets_sent")[""]) >= Int64(try #require(snapshot.packetsReceived)))
      #expect(try #require(recorder.counts(of: "server_bytes_sent")[""]) >= Int64(try #require(snapshot.bytesReceived)))
      await first.close()
      #expect(await counts(of: "server_connections_closed").values.reduce(0, +) == 1)
      // All that was sent has come before the end did.
      #expect(
        try #require(recorder.counts(of: "server_packets_received")[""]) > Int64(try #require(snapshot.packetsSent)))
      #expect(try #require(recorder.counts(of: "server_bytes_received")[""]) > Int64(try #require(snapshot.bytesSent)))
      let second = server.makeTransport(resumption: store)
      #expect(try await get("/", second) == [1])
      await second.close()
    }
    #expect(recorder.counts(of: "server_connections_opened") == ["none": 1, "earlyDataAccepted": 1])
    #expect(recorder.counts(of: "server_connections_failed") == [:])
    #expect(recorder.counts(of: "server_requests_started") == ["": 3])
    #expect(recorder.counts(of: "server_requests_failed") == ["cancelled": 1])
    #expect(recorder.counts(of: "server_stateless_replies") == [:])
  }

  @Test func streamsAndHandlersAreReportedWhileTheyAre() async throws {
    let isSeen = Gate()
    try await HTTP3TestServer.run(
      metrics: metrics,
      handler: { exchange in
        await isSeen.wait()
        try? await exchange.respond(HTTPResponse(status: .ok))
        try? await exchange.finish()
      }
    ) { server in
      let transport = server.makeTransport()
      let answer = Task { try await get("/", transport) }
      await until { recorder.level(of: "server_streams") == 1 && recorder.level(of: "server_handlers") == 1 }
      isSeen.open()
      let body = try await answer.value
      #expect(body.isEmpty)
      await until { recorder.level(of: "server_streams") == 0 && recorder.level(of: "server_handlers") == 0 }
      await transport.close()
    }
    // The server is closed: its connection has left its estimates.
    #expect(try recorder.times(of: "server_round_trip", []).count == 1)
    #expect(try recorder.expectRecorder("agent_stream_server_congestion_window_bytes").values.count == 1)
  }

  /// The handler is long done when the client's silence shows that its response was never complete.
  @Test func aResponseWhoseEndWasNotAcknowledgedHasFailed() async throws {
    // Where the server gets no processor for three seconds, its handshake has timed out before there is a request, and no
    // connection is ever counted as closed: once more.
    while try await !losesTheEndOfAResponse() {}
  }

  /// Whether there was a response to lose.
  private func losesTheEndOfAResponse() async throws -> Bool {
    let recorder = TestMetrics()
    let (progress, reported) = AsyncStream.makeStream(of: Bool.self)
    let answers = Gate()
    let hasResponse = Mutex(false)
    try await HTTP3TestServer.run(
      metrics: TransportMetrics(factory: recorder),
      configure: { $0.limits.idleTimeout = .seconds(3) },
      handler: { exchange in
        reported.yield(true)
        await answers.wait()
        try? await exchange.respond(HTTPResponse(status: .ok))
        try? await exchange.finish()
      }
    ) { server in
      let relay = try CuttableRelay(to: server.port)
      defer { relay.stop() }
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: relay.port),
        tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
        configuration: .patient)
      let lost = Task {
        defer { reported.yield(false) }
        // There the request follows the handshake at once. Where tasks wait for a processor, the idle time-out may be over.
        return try await transport.onReceivingThread { try await get("/", transport) }
      }
      let isServed = await progress.first { _ in true } == true
      for client in 1...30 { relay.setCut(true, client: client) }
      answers.open()
      if isServed {
        #expect(await counts(of: "server_connections_closed", in: recorder) == ["idleTimeout": 1])
        #expect(recorder.counts(of: "server_requests_failed") == ["idleTimeout": 1])
      }
      await transport.close()
      _ = await lost.result
      hasResponse.withLock { $0 = isServed }
    }
    return hasResponse.withLock { $0 }
  }

  @Test func handshakesThatFailAreNoConnections() async throws {
    try await HTTP3TestServer.run(metrics: metrics) { server in
      let stranger = try DevelopmentCertificate.make()
      let transport = server.makeTransport(tls: TLSOptions(trust: .certificates(pem: stranger.certificatePEM)))
      #expect(try await failureCode { _ = try await get("/", transport) } == .certificateRejected)
      #expect(await counts(of: "server_connections_failed") == ["tls": 1])
    }
    #expect(recorder.counts(of: "server_connections_opened") == [:])
    #expect(recorder.counts(of: "server_connections_closed") == [:])
  }

  @Test func repliesWithoutAConnectionAreCountedByTheirKind() async throws {
    try await HTTP3TestServer.run(
      metrics: metrics,
      configure: {
        $0.options.alwaysValidatesAddresses = true
        $0.limits.maximumConnections = 1
      }
    ) { server in
      let first = server.makeTransport()
      _ = try await first.connect()
      #expect(recorder.counts(of: "server_stateless_replies").keys.sorted() == ["retry"])
      let second = server.makeTransport()
      #expect(try await failureCode { _ = try await second.connect() } != nil)
      // A client that is slow to read its answer asks again.
      #expect(recorder.counts(of: "server_stateless_replies").keys.sorted() == ["refusal", "retry"])
      await first.close()
    }
    #expect(recorder.counts(of: "server_connections_opened") == ["none": 1])
  }

  /// A server whose memory of early data is full takes none, serves the request after the handshake, and counts.
  @Test func earlyDataThatCannotBeRememberedIsCounted() async throws {
    try await HTTP3TestServer.run(metrics: metrics, configure: { $0.options.earlyDataMemory = 1 }) { server in
      let store = ResumptionStore.patient
      for _ in 0..<3 {
        let transport = server.makeTransport(resumption: store)
        _ = try await get("/", transport)
        // One ticket for each of the next connections.
        await until { await store.ticketCount(transport.origin) >= 2 }
        await transport.close()
      }
    }
    #expect(
      recorder.counts(of: "server_connections_opened") == ["none": 1, "earlyDataAccepted": 1, "resumed": 1])
    #expect(recorder.counts(of: "server_early_data_unremembered") == ["": 1])
  }
}
