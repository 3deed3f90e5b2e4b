import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTP1TransportTests {
  private func code(_ body: () async throws -> Void) async -> TransportError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? TransportError)?.code
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", TransportError.Code.connectionLost),
    ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", .connectionLost),
    ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab", .connectionLost),
    ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab", .protocolViolation),
    ("HTTP/1.1 200 O", .connectionLost),
    ("", .connectionLost),
    ("hello, this is no HTTP\r\n\r\n", .protocolViolation),
    ("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", .protocolViolation),
    ("HTTP/1.1 200 OK\r\nx: " + String(repeating: "y", count: 100_000) + "\r\n\r\n", .limitExceeded),
    ("HTTP/1.1 200 OK\r\n" + String(repeating: "x: y\r\n", count: 300) + "\r\n", .limitExceeded),
  ])
  func aBadResponseIsATypedError(response: String, expected: TransportError.Code) async throws {
    try await RawServer.run { peer in
      _ = try await peer.request()
      try await peer.send(response)
    } body: { server in
      let found = await code {
        let response = try await server.transport().send(HTTPRequest(path: "/"))
        _ = try await response.body.collect(upTo: 1 << 20)
      }
      #expect(found == expected)
    }
  }

  @Test func aBodyThatEndsWithTheConnectionIsWhole() async throws {
    try await RawServer.run { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.0 200 OK\r\n\r\nabc")
    } body: { server in
      let response = try await server.transport().send(HTTPRequest(path: "/"))
      #expect(try await response.body.collect(upTo: 10) == Array("abc".utf8))
    }
  }

  @Test func cutTLSIsNoCleanEnd() async throws {
    let certificate = try DevelopmentCertificate.make()
    // Without a length only TLS's own end (close_notify) tells a whole body from a cut one.
    try await TruncatingServer.run(certificate) { server in
      let transport = HTTP1Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server),
        tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet, configuration: .patient)
      let response = try await transport.send(HTTPRequest(path: "/"))
      let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
      #expect(error?.code == .connectionLost)
    }
  }

  @Test func keepsAndReusesAConnection() async throws {
    try await HTTP1TestServer.run(nil) { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write([1])
      try await exchange.finish()
    } body: { server in
      let transport = HTTP1Transport(
        origin: Origin(scheme: .http, host: "127.0.0.1", port: server.port), tls: TLSOptions(), logger: .quiet,
        configuration: .patient)
      for _ in 0..<5 { _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 1) }
      #expect(server.accepted.count == 1)
      await transport.close()
    }
  }

  /// A kept connection that ends when the next request arrives, as after a server's idle limit.
  private func staleScript(_ peer: RawServer.Peer) async throws {
    guard try await peer.request() != nil else { return }
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n\(peer.number)")
    _ = try await peer.request()
  }

  @Test(arguments: [HTTPRequest.Method.get, .put, .delete])
  func aStaleConnectionIsReplacedUnnoticed(method: HTTPRequest.Method) async throws {
    try await RawServer.run(script: staleScript) { server in
      let transport = server.transport()
      _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 1)
      let again = try await transport.send(HTTPRequest(method, path: "/"), body: .bytes([1]))
      #expect(try await again.body.collect(upTo: 1) == Array("2".utf8))
    }
  }

  /// The connection was kept from ``HTTPTransport/connect()`` on, though no request was sent over it.
  @Test func aStaleConnectionThatWasNeverUsedIsReplacedUnnoticed() async throws {
    try await RawServer.run { peer in
      guard try await peer.request() != nil, peer.number > 1 else { return }
      try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n\(peer.number)")
      _ = try await peer.request()
    } body: { server in
      let transport = server.transport()
      _ = try await transport.connect()
      let response = try await transport.send(HTTPRequest(path: "/"))
      #expect(try await response.body.collect(upTo: 1) == Array("2".utf8))
    }
  }

  /// A caller that releases the transport may still read what runs; then only the connection itself is left to close
  /// it.
  @Test func aConnectionEndsWithItsResponseWhenTheTransportIsGone() async throws {
    let (rest, closed) = (Gate(), Gate())
    try await RawServer.run { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na")
      await rest.wait()
      try await peer.send("b")
      if try await peer.request() == nil { closed.open() }
    } body: { server in
      var transport: HTTP1Transport? = server.transport()
      let response = try #require(try await transport?.send(HTTPRequest(path: "/")))
      transport = nil
      rest.open()
      #expect(try await response.body.collect(upTo: 2) == Array("ab".utf8))
      await closed.wait()
    }
  }

  @Test func whatMayNotRunTwiceIsNotRepeated() async throws {
    try await RawServer.run(script: staleScript) { server in
      for body in [RequestBody.bytes([1]), .stream(Chunks([[1]]))] {
        let transport = server.transport()
        _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 1)
        let found = await code { _ = try await transport.send(HTTPRequest(.post, path: "/"), body: body) }
        #expect(found == .connectionLost)
      }
    }
  }

  /// The idle limit's timer stands still while the machine is suspended, and what a request meets then is a connection
  /// that the server, or the network, has forgotten.
  @Test(arguments: [(.seconds(1_800), "1"), (.seconds(3_601), "2")] as [(Duration, String)])
  func noKeptConnectionOutlastsTheIdleLimitInASuspension(length: Duration, connection: String) async throws {
    let suspended = Mutex<UInt64>(0)
    try await RawServer.run { peer in
      while try await peer.request() != nil {
        try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n\(peer.number)")
      }
    } body: { server in
      // Longer than any test takes.
      var configuration = HTTP1TransportConfiguration.patient
      configuration.idleLimit = .seconds(3_600)
      let transport = HTTP1Transport(
        origin: Origin(scheme: .http, host: "127.0.0.1", port: server.port), tls: TLSOptions(), logger: .quiet,
        configuration: configuration, suspendedTime: { suspended.withLock { $0 } },
        resolve: NameResolver.standard)
      _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 1)
      suspended.withLock { $0 += UInt64(length.components.seconds) * 1_000_000_000 }
      let again = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes([]))
      #expect(try await again.body.collect(upTo: 1) == Array(connection.utf8))
      await transport.close()
    }
  }

  @Test func anIdempotencyKeyAllowsRepeating() async throws {
    let key = try #require(HTTPField.Name("idempotency-key"))
    try await RawServer.run(script: staleScript) { server in
      let transport = server.transport()
      _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 1)
      let again = try await transport.send(HTTPRequest(.post, path: "/", fields: [key: "k"]), body: .bytes([1]))
      #expect(again.head.status == .ok)
    }
  }

  @Test func endlessInterimResponsesAreRefused() async throws {
    try await RawServer.run { peer in
      _ = try await peer.request()
      for _ in 0..<100 { try await peer.send("HTTP/1.1 100 Continue\r\n\r\n") }
      try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
      _ = try await peer.request()
    } body: { server in
      let code = try await failureCode { _ = try await server.transport().send(HTTPRequest(path: "/")) }
      #expect(code == .limitExceeded)
    }
  }

  @Test func limitsRequestsInFlight() async throws {
    let (entries, entered) = AsyncStream.makeStream(of: Void.self)
    let (gates, gate) = AsyncStream.makeStream(of: Void.self)
    try await HTTP1TestServer.run(nil) { exchange in
      if exchange.request.path == "/wait" {
        entered.yield()
        for await _ in gates { break }
      }
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    } body: { server in
      var configuration = HTTP1TransportConfiguration.patient
      configuration.maximumRequests = 1
      let transport = HTTP1Transport(
        origin: Origin(scheme: .http, host: "127.0.0.1", port: server.port), tls: TLSOptions(), logger: .quiet,
        configuration: configuration)
      let first = Task { try await transport.send(HTTPRequest(path: "/wait")).body.collect(upTo: 0) }
      for await _ in entries { break }
      let second = Task { try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0) }
      let third = Task { try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0) }
      third.cancel()
      let cancelled = await #expect(throws: TransportError.self) { try await third.value }
      #expect(cancelled?.code == .cancelled)
      gate.yield()
      _ = try await first.value
      _ = try await second.value
      #expect(server.accepted.count == 1)
      await transport.close()
    }
  }

  @Test func refusesPlaintextToOtherMachines() async throws {
    let origin = Origin(scheme: .http, host: "192.0.2.1", port: 80)
    let transport = HTTP1Transport(origin: origin, tls: TLSOptions(), logger: .quiet, configuration: .patient)
    #expect(await code { _ = try await transport.connect() } == .invalidRequest)
  }

  @Test func aClosedPortIsRefused() async throws {
    let transport = HTTP1Transport(origin: .closed, tls: TLSOptions(), logger: .quiet, configuration: .patient)
    #expect(await code { _ = try await transport.connect() } == .connectionRefused)
  }

  @Test func anUnknownNameIsNotFound() async throws {
    let origin = Origin(scheme: .https, host: "no-such-host.invalid", port: 443)
    let transport = HTTP1Transport(origin: origin, tls: TLSOptions(), logger: .quiet, configuration: .patient)
    #expect(await code { _ = try await transport.connect() } == .nameNotFound)
  }

  @Test func aSilentServerTimesOut() async throws {
    let certificate = try DevelopmentCertificate.make()
    try await RawServer.run { peer in
      // No TLS: the client's hello is read and never answered.
      while try await peer.request() != nil {}
    } body: { server in
      let transport = server.transport(trust: certificate) { $0.connectTimeout = .milliseconds(50) }
      #expect(await code { _ = try await transport.connect() } == .connectTimeout)
    }
  }

  @Test func cancellingAConnectReturns() async throws {
    let certificate = try DevelopmentCertificate.make()
    let (accepts, accepted) = AsyncStream.makeStream(of: Void.self)
    try await RawServer.run { peer in
      accepted.yield()
      while try await peer.request() != nil {}
    } body: { server in
      let transport = server.transport(trust: certificate)
      let connecting = Task { try await transport.connect() }
      for await _ in accepts { break }
      connecting.cancel()
      let error = await #expect(throws: TransportError.self) { try await connecting.value }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func aServerWithoutTLSIsATLSError() async throws {
    let certificate = try DevelopmentCertificate.make()
    try await RawServer.run { peer in
      try await peer.send("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
      _ = try await peer.request()
    } body: { server in
      #expect(await code { _ = try await server.transport(trust: certificate).connect() } == .tls)
    }
  }

  @Test func anIdleConnectionIsClosed() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    try await RawServer.run { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
      #expect(try await peer.request() == nil)
      ended.yield()
    } body: { server in
      let transport = server.transport { $0.idleLimit = .milliseconds(20) }
      _ = try await transport.send(HTTPRequest(path: "/"))
      for await _ in ends { break }
    }
  }
}
