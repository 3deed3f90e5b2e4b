import HTTPTypes
import MetricsTestKit
import StreamTransport
import TestSupport
import Testing

/// Real transports' counters, over loopback.
@Suite(.timeLimit(.minutes(10))) struct TransportMetricsTests {
  private let recorder = TestMetrics()
  private var metrics: TransportMetrics { TransportMetrics(factory: recorder) }

  private func origin(_ port: Int, _ host: String = "127.0.0.1") -> Origin {
    Origin(scheme: .https, host: host, port: port)
  }

  private func http3(_ server: HTTP3TestServer, _ store: ResumptionStore = .patient) -> HTTP3Transport {
    HTTP3Transport(
      origin: origin(server.port, server.host),
      tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
      configuration: .patient, resumption: store, metrics: metrics)
  }

  @Test func http3CountsConnectionsRequestsAndPackets() async throws {
    try await HTTP3TestServer.run(handler: { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write([1])
      // The body breaks off.
      if exchange.request.path == "/cut" { return await exchange.reset() }
      try? await exchange.finish()
    }) { server in
      let transport = http3(server)
      let response = try await transport.send(HTTPRequest(path: "/"))
      _ = try await response.body.collect(upTo: 1)
      #expect(
        try await failureCode { _ = try await transport.send(HTTPRequest(path: "/cut")).body.collect(upTo: 1) }
          == .streamReset)
      // One that its reader leaves has not failed.
      try await transport.send(HTTPRequest(path: "/")).body.cancel()
      let snapshot = try #require(await transport.snapshot())
      #expect(recorder.counts(of: "packets_sent") == ["h3": Int64(try #require(snapshot.packetsSent))])
      #expect(recorder.counts(of: "packets_received") == ["h3": Int64(try #require(snapshot.packetsReceived))])
      #expect(recorder.counts(of: "bytes_sent") == ["h3": Int64(try #require(snapshot.bytesSent))])
      #expect(recorder.counts(of: "bytes_received") == ["h3": Int64(try #require(snapshot.bytesReceived))])
      #expect(try #require(snapshot.minimumRoundTrip) > .zero && #require(snapshot.roundTrip) > .zero)
      #expect(try #require(snapshot.congestionWindow) > 1_200)
      await transport.close()
      // The close itself is a packet more, and what was reported before is not counted again.
      let sent = try #require(recorder.counts(of: "packets_sent")["h3"])
      #expect(sent > Int64(snapshot.packetsSent ?? 0) && sent < 2 * Int64(snapshot.packetsSent ?? 0))
      #expect(
        try recorder.times(of: "handshake", [("transport", "h3")]) == [nanoseconds(response.connection.handshake)])
    }
    #expect(recorder.counts(of: "connections_opened") == ["h3 none": 1])
    #expect(recorder.counts(of: "connections_closed") == ["h3 cancelled": 1])
    #expect(recorder.counts(of: "connections_failed") == [:])
    #expect(recorder.counts(of: "requests_started") == ["h3": 3])
    #expect(recorder.counts(of: "requests_failed") == ["h3 streamReset": 1])
    #expect(try recorder.times(of: "response_head", [("transport", "h3")]).count == 3)
  }

  @Test func http1CountsConnectionsAndRequests() async throws {
    try await HTTP1Subject.serve(
      isSecure: true,
      { exchange in
        try await exchange.respond(HTTPResponse(status: .ok))
        try await exchange.write([1])
        if exchange.request.path == "/cut" { return await exchange.abort() }
        try await exchange.finish()
      }
    ) { origin, tls in
      let transport = HTTP1Transport(
        origin: origin, tls: tls, logger: .quiet, configuration: .patient, metrics: metrics)
      for _ in 0..<2 { _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 1) }
      let snapshot = try #require(await transport.snapshot())
      #expect(try #require(snapshot.congestionWindow) > 0)
      #expect(snapshot.packetsSent == nil && snapshot.bytesSent == nil)
      #expect(
        try await failureCode { _ = try await transport.send(HTTPRequest(path: "/cut")).body.collect(upTo: 1) }
          == .connectionLost)
      await transport.close()
    }
    #expect(recorder.counts(of: "connections_opened") == ["h1 none": 1])
    #expect(recorder.counts(of: "connections_closed") == ["h1 connectionLost": 1])
    #expect(recorder.counts(of: "requests_started") == ["h1": 3])
    #expect(recorder.counts(of: "requests_failed") == ["h1 connectionLost": 1])
    #expect(try recorder.times(of: "handshake", [("transport", "h1")]).count == 1)
    #expect(try recorder.times(of: "response_head", [("transport", "h1")]).count == 3)
  }

  @Test func whatCannotConnectIsCountedByItsReason() async throws {
    let transports: [any HTTPTransport] = [
      HTTP3Transport(origin: .closed, tls: TLSOptions(), logger: .quiet, metrics: metrics),
      HTTP1Transport(origin: .closed, tls: TLSOptions(), logger: .quiet, metrics: metrics),
    ]
    for transport in transports {
      let code = try await failureCode { _ = try await transport.send(HTTPRequest(path: "/")) }
      #expect(code == .connectionRefused)
      // No connection is even tried.
      let second = try await failureCode { _ = try await transport.send(HTTPRequest(path: "a b")) }
      #expect(second == .invalidRequest)
      await transport.close()
    }
    #expect(recorder.counts(of: "connections_failed") == ["h3 connectionRefused": 1, "h1 connectionRefused": 1])
    #expect(
      recorder.counts(of: "requests_failed") == [
        "h3 connectionRefused": 1, "h1 connectionRefused": 1, "h3 invalidRequest": 1, "h1 invalidRequest": 1,
      ])
    #expect(recorder.counts(of: "connections_opened") == [:])
    #expect(recorder.counts(of: "connections_closed") == [:])
  }

  /// Each request once, whichever way it goes: in early data of a transport or of a race.
  @Test func earlyDataIsCountedByWhatBecameOfIt() async throws {
    let store = ResumptionStore.patient
    let host = "127.83.2.2"
    let first = try await HTTP3TestServer.start(host: host)
    try await connect(first, store)
    let transport = http3(first, store)
    _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
    await until { await store.ticketCount(transport.origin) != 0 }
    await transport.close()
    #expect(recorder.counts(of: "connections_opened") == ["h3 none": 1, "h3 earlyDataAccepted": 1])
    #expect(recorder.counts(of: "requests_started") == ["h3": 2])

    let http1 = HTTP1Transport(origin: origin(first.port, host), tls: TLSOptions(), logger: .quiet, metrics: metrics)
    let race = RacingTransport(http3: http3(first, store), http1: http1, logger: .quiet, metrics: metrics)
    #expect(try await race.send(HTTPRequest(path: "/")).connection.resumption == .earlyDataAccepted)
    await until { await store.ticketCount(transport.origin) != 0 }
    await race.close()
    await first.server.close()
    #expect(recorder.counts(of: "requests_started") == ["h3": 3])
    #expect(recorder.counts(of: "races") == ["h3": 1])
    #expect(try recorder.times(of: "response_head", [("transport", "h3")]).count == 3)

    // A server that was restarted with another secret.
    try await HTTP3TestServer.run(certificate: first.certificate, host: host, port: first.port) { server in
      let transport = http3(server, store)
      _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
      await transport.close()
    }
    #expect(
      recorder.counts(of: "connections_opened") == ["h3 none": 1, "h3 earlyDataAccepted": 2, "h3 earlyDataRefused": 1])
    #expect(recorder.counts(of: "requests_started") == ["h3": 4])
    #expect(recorder.counts(of: "requests_failed") == [:])
  }

  /// HTTP/3 has a ticket and no server: its early data counts as nothing, and the request as HTTP/1.1's.
  @Test func aRaceLostBesideEarlyDataCountsOneRequest() async throws {
    let certificate = try DevelopmentCertificate.make()
    let store = ResumptionStore.patient
    let handler: HTTP1TestServer.Handler = { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    }
    func isTried(_ tcp: HTTP1TestServer) async throws -> Bool {
      // Of TCP's port number, somebody else may use UDP's.
      guard let udp = try? await HTTP3TestServer.start(certificate: certificate, port: tcp.port) else { return false }
      try await connect(udp, store)
      await udp.server.close()
      let http1 = HTTP1Transport(
        origin: origin(tcp.port), tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)),
        logger: .quiet, configuration: .patient, metrics: metrics)
      let race = RacingTransport(http3: http3(udp, store), http1: http1, logger: .quiet, metrics: metrics)
      #expect(try await race.send(HTTPRequest(path: "/")).connection.transport == .http1)
      await race.close()
      return true
    }
    while try await !HTTP1TestServer.run(certificate, handler: handler, body: isTried) {}
    #expect(recorder.counts(of: "requests_started") == ["h3": 1, "h1": 1])
    #expect(recorder.counts(of: "requests_failed") == [:])
    #expect(recorder.counts(of: "races") == ["h1": 1])
    #expect(recorder.counts(of: "connections_failed") == ["h3 connectionRefused": 1])
  }

  /// Leaves a ticket in the store.
  private func connect(_ server: HTTP3TestServer, _ store: ResumptionStore) async throws {
    let transport = http3(server, store)
    _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
    await until { await store.ticketCount(transport.origin) != 0 }
    await transport.close()
  }
}
