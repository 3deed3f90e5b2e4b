import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing
import TransportPolicy

/// Addresses race as RFC 8305 § 5 has it, over UDP and TCP; and the two transports race over real sockets. What must be
/// waited for is measured from below only.
@Suite(.timeLimit(.minutes(10))) struct AddressRaceTests {
  private let clock = ContinuousClock()

  private func tls(_ certificate: DevelopmentCertificate) -> TLSOptions {
    TLSOptions(trust: .certificates(pem: certificate.certificatePEM))
  }

  /// A UDP port that never answers, as long as the value lives.
  private func silentUDP() throws -> UDPSocket {
    try UDPSocket(bindingTo: .loopback(port: 0))
  }

  private func http1(
    _ origin: Origin, _ certificate: DevelopmentCertificate, _ addresses: [NetworkAddress]
  ) -> HTTP1Transport {
    HTTP1Transport(
      origin: origin, tls: tls(certificate), logger: .quiet, configuration: .patient
    ) { _, _, _ in addresses }
  }

  private func http3(
    _ origin: Origin, _ certificate: DevelopmentCertificate, _ addresses: [NetworkAddress]
  ) -> HTTP3Transport {
    HTTP3Transport(
      origin: origin, tls: tls(certificate), logger: .quiet, configuration: .patient
    ) { _, _, _ in addresses }
  }

  /// Runs an HTTPS server on TCP.
  private func withTCP(
    _ fields: HTTPFields = [:], _ body: @Sendable (HTTP1TestServer, DevelopmentCertificate) async throws -> Void
  ) async throws {
    let certificate = try DevelopmentCertificate.make()
    try await HTTP1TestServer.run(certificate) { exchange in
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: fields))
      try await exchange.finish()
    } body: { server in
      try await body(server, certificate)
    }
  }

  // MARK: Addresses

  @Test func overUDPTheNextAddressIsTriedAfter250ms() async throws {
    let silent = try silentUDP()
    let silentAddress = silent.localAddress
    try await HTTP3TestServer.run { server in
      let origin = Origin(scheme: .https, host: "localhost", port: server.port)
      let transport = http3(origin, server.certificate, [silentAddress, .loopback(port: UInt16(server.port))])
      let start = clock.now
      let info = try await transport.connect()
      #expect(info.remoteAddress == "127.0.0.1:\(server.port)")
      #expect(clock.now - start >= .milliseconds(250))
      await transport.close()
    }
    withExtendedLifetime(silent) {}
  }

  @Test func overTCPTheNextAddressIsTriedAfter250ms() async throws {
    let silent = try SilentPort()
    let silentAddress = NetworkAddress.loopback(port: silent.port)
    try await withTCP { server, certificate in
      let origin = Origin(scheme: .https, host: "localhost", port: server.port)
      let transport = http1(origin, certificate, [silentAddress, .loopback(port: UInt16(server.port))])
      let start = clock.now
      let info = try await transport.connect()
      #expect(info.remoteAddress == "127.0.0.1:\(server.port)")
      #expect(clock.now - start >= .milliseconds(250))
      await transport.close()
    }
    withExtendedLifetime(silent) {}
  }

  /// The first address of each family refuses. Over TCP IPv6 comes first, over UDP what the system prefers.
  @Test func aRefusalMakesRoomForTheOtherFamilyAtOnce() async throws {
    // No server of a test is at the discard port.
    let refused = NetworkAddress(ip: .v6(0, 1, scope: 0), port: 9)
    try await withTCP { server, certificate in
      let origin = Origin(scheme: .https, host: "localhost", port: server.port)
      let addresses: [NetworkAddress] = [.loopback(port: UInt16(server.port)), refused]
      let transport = http1(origin, certificate, addresses)
      let info = try await transport.connect()
      #expect(info.remoteAddress == "127.0.0.1:\(server.port)")
      await transport.close()
    }
    try await HTTP3TestServer.run { server in
      let origin = Origin(scheme: .https, host: "localhost", port: server.port)
      let transport = http3(origin, server.certificate, [refused, .loopback(port: UInt16(server.port))])
      let info = try await transport.connect()
      #expect(info.remoteAddress == "127.0.0.1:\(server.port)")
      await transport.close()
    }
  }

  @Test func aNameWithoutAnAddressIsReportedAsTheResolverHasIt() async throws {
    let certificate = try DevelopmentCertificate.make()
    let transport = HTTP1Transport(
      origin: Origin(scheme: .https, host: "nowhere.test", port: 443), tls: tls(certificate), logger: .quiet,
      configuration: .patient
    ) { host, _, _ in throw TransportError(.nameNotFound, "No address for \(host).") }
    let error = await #expect(throws: TransportError.self) { try await transport.connect() }
    #expect(error?.code == .nameNotFound)
    #expect(error?.message == "No address for nowhere.test.")
  }

  // MARK: Transports

  private func isMarked(_ memory: OriginStore, _ origin: Origin) -> Bool {
    memory.read { memory, now in
      guard case .firstHeldBack = memory.plan(for: origin.description, on: "local", headStart: .zero, now: now) else {
        return false
      }
      return true
    }
  }

  @Test func whereUDPIsRefusedTCPStartsAtOnceAndThatIsRemembered() async throws {
    let closed = NetworkAddress.closed
    try await withTCP { server, certificate in
      let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
      let memory = OriginStore()
      func race() -> RacingTransport {
        RacingTransport(
          http3: http3(origin, certificate, [closed]),
          http1: http1(origin, certificate, [.loopback(port: UInt16(server.port))]), memory: memory,
          headStart: .seconds(600), logger: .quiet)
      }
      let first = race()
      let reason = try await first.send(HTTPRequest(path: "/")).connection.reason
      #expect(
        reason?.hasPrefix("HTTP/3 failed: No server listens on UDP at \(closed). HTTP/1.1 connected after") == true)
      await first.close()
      #expect(isMarked(memory, origin))
      let second = race()
      #expect(try await second.connect().reason?.hasPrefix("HTTP/3 was not tried: UDP failed on this network") == true)
      await second.close()
    }
  }

  @Test func whereUDPIsSilentTCPStartsAfterTheHeadStartAndThatIsRemembered() async throws {
    let silent = try silentUDP()
    let silentAddress = silent.localAddress
    try await withTCP { server, certificate in
      let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
      let memory = OriginStore()
      let race = RacingTransport(
        first: http3(origin, certificate, [silentAddress]),
        second: http1(origin, certificate, [.loopback(port: UInt16(server.port))]), memory: memory,
        headStart: .milliseconds(100), patience: .milliseconds(300), logger: .quiet)
      let start = clock.now
      let info = try await race.connect()
      #expect(info.transport == .http1)
      #expect(clock.now - start >= .milliseconds(100))
      await until { isMarked(memory, origin) }
      #expect(clock.now - start >= .milliseconds(400))
      // The reason follows what was learnt.
      await until { await race.snapshot()?.connection.reason != info.reason }
      let reason = await race.snapshot()?.connection.reason
      #expect(reason?.hasPrefix("HTTP/3 failed: No answer over UDP within ") == true)
      await race.close()
    }
    withExtendedLifetime(silent) {}
  }

  /// The connection that the server is leaving, or that was retired, still carries an answer when HTTP/1.1 wins the next
  /// race.
  @Test(arguments: [true, false]) func aLostRaceLeavesWhatStillRuns(isGoAway: Bool) async throws {
    let certificate = try DevelopmentCertificate.make()
    let gate = Gate()
    let handler: HTTP3TestServer.Handler = { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write([1])
      await gate.wait()
      try? await exchange.write([2])
      try? await exchange.finish()
    }
    try await HTTP3TestServer.run(certificate: certificate, handler: handler) { quic in
      let relay = try CuttableRelay(to: quic.port)
      defer { relay.stop() }
      for client in 2...30 { relay.setCut(true, client: client) }
      try await HTTP1TestServer.run(certificate) { exchange in
        try await exchange.respond(HTTPResponse(status: .ok))
        try await exchange.finish()
      } body: { tcp in
        let origin = Origin(scheme: .https, host: "127.0.0.1", port: tcp.port)
        let http3 = http3(origin, certificate, [.loopback(port: UInt16(relay.port))])
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let race = RacingTransport(
          first: WatchedTransport(http3) { end.yield() },
          second: http1(origin, certificate, [.loopback(port: UInt16(tcp.port))]), headStart: .seconds(600),
          patience: .milliseconds(1), logger: .quiet)
        var ended = ends.makeAsyncIterator()
        let response = try await race.send(HTTPRequest(path: "/"))
        #expect(response.connection.transport == .http3)
        var chunks = response.body.makeAsyncIterator()
        #expect(try await chunks.next() == [1])
        async let drained: Void = isGoAway ? quic.server.drain(within: .seconds(600)) : race.retireConnection()
        if !isGoAway { await ended.next() }
        await until { await race.snapshot() == nil }
        #expect(try await race.send(HTTPRequest(path: "/")).connection.transport == .http1)
        // The loser has had its time, and is ended.
        await ended.next()
        gate.open()
        #expect(try await chunks.next() == [2])
        #expect(try await chunks.next() == nil)
        await drained
        await race.close()
      }
    }
  }

  /// Not one packet went over UDP.
  @Test func whereNameServersAreSilentNothingFollowsForUDP() async throws {
    try await withTCP { server, certificate in
      let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
      let memory = OriginStore()
      let lost = HTTP3Transport(
        origin: origin, tls: tls(certificate), logger: .quiet, configuration: .patient
      ) { _, _, _ in
        try await waitForCancellation()
        return []
      }
      let race = RacingTransport(
        first: lost, second: http1(origin, certificate, [.loopback(port: UInt16(server.port))]), memory: memory,
        headStart: .zero, patience: .milliseconds(1), logger: .quiet)
      let info = try await race.connect()
      await until { await race.snapshot()?.connection.reason != info.reason }
      let reason = await race.snapshot()?.connection.reason
      #expect(reason?.hasPrefix("HTTP/3 failed: No answer of a name server within ") == true, "\(reason ?? "")")
      #expect(!isMarked(memory, origin))
      await race.close()
    }
  }

  /// The origin's TCP server names another port for HTTP/3, whose server proves to be the origin and receives its name.
  @Test func anAlternativeOfTheOriginIsUsed() async throws {
    let certificate = try DevelopmentCertificate.make()
    let handler: HTTP3TestServer.Handler = { exchange in
      let used = HTTPField.Name("alt-used").flatMap { exchange.request.headerFields[$0] } ?? "none"
      try? await exchange.respond(HTTPResponse(status: .ok, headerFields: [.server: used]))
      try? await exchange.finish()
    }
    try await HTTP3TestServer.run(certificate: certificate, handler: handler) { quic in
      try await HTTP1TestServer.run(certificate) { exchange in
        try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.altSvc: "h3=\":\(quic.port)\""]))
        try await exchange.finish()
      } body: { server in
        let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
        let memory = OriginStore()
        memory.update { memory, now in memory.udpFailed(to: origin.description, on: "local", now: now) }
        // The head start never ends: it is not the machine's load that decides.
        func race() -> RacingTransport {
          RacingTransport(
            http3: HTTP3Transport(origin: origin, tls: tls(certificate), logger: .quiet, configuration: .patient),
            http1: HTTP1Transport(origin: origin, tls: tls(certificate), logger: .quiet, configuration: .patient),
            memory: memory,
            clock: TransportClock(ManualClock()), logger: .quiet)
        }
        let before = race()
        #expect(try await before.send(HTTPRequest(path: "/")).connection.transport == .http1)
        await before.close()
        memory.update { memory, now in
          memory.http3Connected(to: origin.description, on: "local", after: .seconds(1), now: now)
        }
        let after = race()
        let response = try await after.send(HTTPRequest(path: "/"))
        #expect(response.connection.transport == .http3)
        #expect(response.connection.remoteAddress == "127.0.0.1:\(quic.port)")
        #expect(response.head.headerFields[.server] == "127.0.0.1:\(quic.port)")
        await after.close()
      }
    }
  }
}
