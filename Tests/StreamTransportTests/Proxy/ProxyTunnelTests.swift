import EventStream
import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// HTTP/1.1 through a proxy, all on the loopback address. The origin has a name that only the proxy has to know.
@Suite(.timeLimit(.minutes(10))) struct ProxyTunnelTests {
  private static let host = "agent.example"

  private func transport(
    _ proxy: String, trust certificate: DevelopmentCertificate? = nil, timeout: Duration? = nil
  ) throws -> HTTP1Transport {
    let certificate = try certificate ?? DevelopmentCertificate.make()
    var configuration = HTTP1TransportConfiguration.patient
    configuration.connectTimeout = timeout ?? configuration.connectTimeout
    return HTTP1Transport(
      origin: Origin(scheme: .https, host: Self.host, port: 443),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)),
      proxies: ProxySettings(environment: ["HTTPS_PROXY": proxy]), logger: .quiet, configuration: configuration)
  }

  /// Runs an HTTPS server for the origin and a proxy before it.
  private func withServer(
    answer: @escaping @Sendable (String) -> String = { _ in "HTTP/1.1 200 Connection established\r\n\r\n" },
    _ body: (ConnectProxy, DevelopmentCertificate, HTTP1TestServer) async throws -> Void
  ) async throws {
    let certificate = try DevelopmentCertificate.make(hosts: [Self.host])
    try await HTTP1TestServer.run(certificate) { exchange in
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentLength: "5"]))
      try await exchange.write(Array("hello".utf8))
      try await exchange.finish()
    } body: { server in
      try await ConnectProxy.run(to: server.port, answer: answer) { try await body($0, certificate, server) }
    }
  }

  @Test func requestsGoThroughATunnel() async throws {
    try await withServer { proxy, certificate, server in
      let transport = try transport("http://127.0.0.1:\(proxy.port)", trust: certificate)
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequest(path: "/"))
        #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
      }
      await transport.close()
      #expect(proxy.requests == ["CONNECT agent.example:443 HTTP/1.1\r\nhost: agent.example:443\r\n\r\n"])
      #expect(server.accepted.count == 1)
    }
  }

  @Test func theUserIsNamedToTheProxyAlone() async throws {
    try await withServer { proxy, certificate, _ in
      let transport = try transport("http://user:pass@127.0.0.1:\(proxy.port)", trust: certificate)
      _ = try await transport.connect()
      await transport.close()
      #expect(proxy.requests.first?.contains("\r\nproxy-authorization: Basic dXNlcjpwYXNz\r\n") == true)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nvia: x\r\n\r\n", "HTTP/1.1 200 \n\n",
    "HTTP/1.1 299 x 200 y\r\n\r\n",
  ])
  func whatBelongsToTheAnswerStaysOutOfTheTunnel(answer: String) async throws {
    try await withServer(answer: { _ in answer }) { proxy, certificate, _ in
      let transport = try transport("http://127.0.0.1:\(proxy.port)", trust: certificate)
      let response = try await transport.send(HTTPRequest(path: "/"))
      #expect(response.head.status == .ok)
      await transport.close()
    }
  }

  @Test func theServersCertificateIsTheOrigins() async throws {
    let other = try DevelopmentCertificate.make(hosts: ["proxy.example"])
    try await withServer { proxy, _, _ in
      let transport = try transport("http://127.0.0.1:\(proxy.port)", trust: other)
      let code = try await failureCode { _ = try await transport.connect() }
      #expect(code == .certificateRejected)
    }
  }

  @Test(
    arguments: [
      ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", .connectionRefused, "asks who you are (407)"),
      (
        "HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno", .connectionRefused,
        "forbids connections to agent.example"
      ),
      ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .unreachable, "cannot reach agent.example (502)"),
      ("HTTP/1.1 301 Moved\r\n\r\n", .connectionRefused, "is it an HTTP proxy?"),
      ("SSH-2.0-OpenSSH\r\n\r\n", .protocolViolation, "no HTTP/1.1"),
      ("HTTP/2 200\r\n\r\n", .protocolViolation, "no HTTP/1.1"),
      ("HTTP/1.1 20x OK\r\n\r\n", .protocolViolation, "no HTTP/1.1"),
      ("HTTP/1.1\r\n\r\n", .protocolViolation, "no HTTP/1.1"),
      ("HTTP/1.1 20", .connectionLost, "before it answered"),
      ("", .connectionLost, "before it answered"),
      ("HTTP/1.1 400 " + String(repeating: "x", count: 17_000), .limitExceeded, "more than 16384 bytes"),
    ] as [(String, TransportError.Code, String)])
  func whyThereIsNoTunnelIsReported(answer: String, code: TransportError.Code, words: String) async throws {
    try await ConnectProxy.run(to: nil, answer: { _ in answer }) { proxy in
      let error = await #expect(throws: TransportError.self) {
        try await transport("http://127.0.0.1:\(proxy.port)").connect()
      }
      #expect(error?.code == code)
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
      #expect(error?.message.contains("127.0.0.1:\(proxy.port)") == true)
    }
  }

  @Test func aPasswordThatIsWrongIsReported() async throws {
    try await ConnectProxy.run(to: nil, answer: { _ in "HTTP/1.1 407 No\r\n\r\n" }) { proxy in
      let error = await #expect(throws: TransportError.self) {
        try await transport("http://user:secret@127.0.0.1:\(proxy.port)").connect()
      }
      #expect(error?.message.contains("does not accept the user and password in HTTPS_PROXY") == true)
      #expect(error?.message.contains("secret") == false)
    }
  }

  @Test func aProxyThatIsNotThereIsNamed() async throws {
    let closed = NetworkAddress.closed
    let error = await #expect(throws: TransportError.self) {
      try await transport("http://\(closed)").connect()
    }
    #expect(error?.code == .connectionRefused)
    #expect(
      error?.message
        == "The proxy \(closed) of HTTPS_PROXY does not help: Nothing listens at \(closed).")
  }

  @Test func aProxyThatSaysNothingTimesOut() async throws {
    try await RawServer.run { peer in
      _ = try await peer.request()
      _ = try await peer.request()
    } body: { server in
      let transport = try transport("http://127.0.0.1:\(server.port)", timeout: .milliseconds(200))
      let code = try await failureCode { _ = try await transport.connect() }
      #expect(code == .connectTimeout)
    }
  }

  @Test func aHostThatCannotBeNamedIsRefused() async throws {
    try await ConnectProxy.run(to: nil) { proxy in
      let authority = try DevelopmentCertificate.make().certificatePEM
      let transport = HTTP1Transport(
        origin: Origin(scheme: .https, host: "a\r\nx: y", port: 443),
        tls: TLSOptions(trust: .certificates(pem: authority)),
        proxies: ProxySettings(environment: ["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]), logger: .quiet,
        configuration: .patient)
      let code = try await failureCode { _ = try await transport.connect() }
      #expect(code == .invalidRequest)
      #expect(proxy.requests.isEmpty)
    }
  }

  // MARK: The race

  @Test func behindAProxyHTTP3IsNotTriedAndThatIsReported() async throws {
    try await withServer { proxy, certificate, _ in
      let http1 = try transport("http://127.0.0.1:\(proxy.port)", trust: certificate)
      let http3 = HTTP3Transport(
        origin: http1.origin, tls: TLSOptions(), logger: .quiet, configuration: .patient
      ) { _, _, _ in
        Issue.record("HTTP/3 was tried")
        return []
      }
      let race = RacingTransport(http3: http3, http1: http1, logger: .quiet)
      let reason = try await race.send(HTTPRequest(path: "/")).connection.reason ?? ""
      #expect(
        reason.hasPrefix(
          "HTTP/3 was not tried: connections go through the proxy 127.0.0.1:\(proxy.port), which carries TCP alone. HTTP/1.1"
        ),
        "\(reason)")
      await race.close()
    }
  }

  @Test func aProxyThatCannotBeUsedIsReported() async throws {
    let http1 = try transport("socks5://127.0.0.1:1080")
    let http3 = HTTP3Transport(origin: http1.origin, tls: TLSOptions(), logger: .quiet, configuration: .patient)
    let error = await #expect(throws: TransportError.self) {
      try await RacingTransport(http3: http3, http1: http1, logger: .quiet).connect()
    }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("only http:// proxies are supported") == true)
  }
}
