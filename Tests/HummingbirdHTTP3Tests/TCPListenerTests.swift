import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import StreamTransport
import TestSupport
import Testing

@testable import HummingbirdHTTP3

@Suite(.timeLimit(.minutes(10)))
struct TCPListenerTests {
  /// Nothing that comes by itself ends a handshake or a silence within a test.
  private static let patient = TCPLimits(handshakeTimeout: .seconds(3_600), idleTimeout: .seconds(3_600))

  private static func connect(
    _ port: Int, over tls: NIOSSLContext? = nil, from source: String = "127.0.0.1"
  ) async throws -> any Channel {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(to: SocketAddress(ipAddress: source, port: 0))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let tls else { return }
          try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
  }

  /// TLS that takes any certificate.
  private static func trusting(_ protocols: [String] = []) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    configuration.applicationProtocols = protocols
    return try NIOSSLContext(configuration: configuration)
  }

  /// One source has all connections and keeps them: one of another gets a place, and none of the same does.
  @Test func noSourceKeepsOthersOut() async throws {
    let server = try await ServerUnderTest(
      Router(), tcp: TCPLimits(maximumConnections: 2, handshakeTimeout: .seconds(3_600), idleTimeout: .seconds(3_600)))
    let tls = try Self.trusting()
    let request = ByteBuffer(string: "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
    // A write is complete once the handshake is. Before that, of two connections either may have the earlier place.
    let first = try await Self.connect(server.port, over: tls)
    try await first.writeAndFlush(request).get()
    let second = try await Self.connect(server.port, over: tls)
    try await second.writeAndFlush(request).get()
    let third = try await Self.connect(server.port, over: tls)
    try await third.closeFuture.get()
    let other = try await Self.connect(server.port, over: tls, from: "127.0.0.2")
    try await other.writeAndFlush(request).get()
    try await second.closeFuture.get()
    #expect(first.isActive && other.isActive)
    for client in [first, other] { try await client.close().get() }
    await server.shutdown()
  }

  /// One connection of HTTP/2 has all requests, whose bodies never end: the next one is reset, and a complete one of another
  /// source gets the place of the newest.
  @Test func requestsOfHTTP2AreLimitedInSum() async throws {
    let router = Router()
    router.post("/") { request, _ in try await request.body.collect(upTo: 1 << 20) }
    let server = try await ServerUnderTest(
      router,
      tcp: TCPLimits(handshakeTimeout: .seconds(3_600), idleTimeout: .seconds(3_600), maximumRequests: 2))
    // POST / by entries of HPACK's static table, with the authority beside them.
    let fields: [UInt8] = [0x83, 0x87, 0x84, 0x01, 9] + Array("localhost".utf8)
    let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    func headers(_ stream: UInt8, _ flags: UInt8) -> [UInt8] {
      [0, 0, UInt8(fields.count), 1, flags, 0, 0, 0, stream] + fields
    }
    let crowd = try await RawClient(server.port, protocols: ["h2"])
    try await crowd.send(start + headers(1, 4) + headers(3, 4) + headers(5, 4))
    #expect(try await crowd.resetStream() == 5)
    let other = try await RawClient(server.port, protocols: ["h2"], source: "127.0.0.2")
    try await other.send(start + headers(1, 5))
    #expect(try await crowd.resetStream() == 3)
    for client in [crowd, other] { try await client.channel.close().get() }
    await server.shutdown()
  }

  /// It answers neither GOAWAY nor PING. A connection with a request is left alone.
  @Test func aClientOfHTTP2WithoutRequestsIsLeft() async throws {
    let mayGoOn = Gate()
    let server = try await ServerUnderTest(
      .twoHalves(mayGoOn), drainTimeout: .milliseconds(100),
      tcp: TCPLimits(handshakeTimeout: .seconds(3_600), idleTimeout: .seconds(1)))
    let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    // GET by entries of HPACK's static table, with the path and the authority beside them.
    let fields: [UInt8] = [0x82, 0x87, 0x04, 7] + Array("/stream".utf8) + [0x01, 9] + Array("localhost".utf8)
    let busy = try await RawClient(server.port, protocols: ["h2"])
    try await busy.send(start + [0, 0, UInt8(fields.count), 1, 5, 0, 0, 0, 1] + fields)
    let deaf = try await RawClient(server.port, protocols: ["h2"])
    try await deaf.send(start)
    try await deaf.channel.closeFuture.get()
    #expect(busy.channel.isActive)
    mayGoOn.open()
    try await busy.channel.closeFuture.get()
    await server.shutdown()
  }

  @Test func drainingDoesNotWaitForAHandshake() async throws {
    let server = try await ServerUnderTest(Router(), drainTimeout: .milliseconds(100), tcp: Self.patient)
    let silent = try await Self.connect(server.port)
    // Connections are accepted in their order, so that this answer shows that the silent one is.
    let client = server.client(.http1)
    #expect(try await client.send(.test(.get, "/missing")).head.status == .notFound)
    await client.close()
    await server.shutdown()
    try await silent.closeFuture.get()
  }

  @Test func closingDoesNotWaitForAHandshake() async throws {
    let certificate = try DevelopmentCertificate.make()
    let identity = ServerIdentity(
      certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
    let credentials = try TCPCredentials([identity], clients: nil)
    let listener = TCPListener(
      .address("127.0.0.1", port: 0), credentials: credentials,
      limits: Self.patient, drainTimeout: .seconds(5), countsTraffic: false, untaken: SharedBytes(1 << 20),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { _, _, _ in }
    let port = try await listener.start()
    let silent = try await Self.connect(port)
    // Who does not speak TLS is refused, which shows that the silent one is accepted.
    let stranger = try await Self.connect(port)
    try await stranger.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n")).get()
    try await stranger.closeFuture.get()
    await listener.close()
    // It is closed by now, or has not been taken out of the queue.
    try? await silent.close().get()
  }

  /// HTTP/2's leave-taking waits for an answer to a PING, which this client never gives.
  @Test func drainingEndsAClientOfHTTP2ThatAnswersNothing() async throws {
    let server = try await ServerUnderTest(Router(), drainTimeout: .milliseconds(100), tcp: Self.patient)
    let deaf = try await Self.connect(server.port, over: Self.trusting(["h2"]))
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    let emptySettings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    try await deaf.writeAndFlush(ByteBuffer(bytes: preface + emptySettings)).get()
    let client = server.client(.http1)
    #expect(try await client.send(.test(.get, "/missing")).head.status == .notFound)
    await client.close()
    await server.shutdown()
    try await deaf.closeFuture.get()
  }

  /// A client of HTTP/1.1 that reads nothing, and one of HTTP/2 whose window is closed.
  @Test(arguments: ["http/1.1", "h2"]) func whoTakesNothingOfAResponseIsLeft(_ name: String) async throws {
    let hasEnded = Gate()
    let router = Router()
    router.get("/") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          defer { hasEnded.open() }
          while true { try await writer.write(ByteBuffer(repeating: 0, count: 1 << 20)) }
        })
    }
    let server = try await ServerUnderTest(
      router,
      tcp: TCPLimits(
        handshakeTimeout: .seconds(3_600), idleTimeout: .seconds(3_600), writeTimeout: .seconds(1)))
    let client = try await Self.connect(server.port, over: Self.trusting([name]))
    // The initial window is 0; then a request by entries of HPACK's static table, with the authority beside them.
    let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
    let fields: [UInt8] = [0x82, 0x87, 0x84, 0x01, 9] + Array("localhost".utf8)
    let headers: [UInt8] = [0, 0, UInt8(fields.count), 1, 5, 0, 0, 0, 1] + fields
    let request =
      name == "h2"
      ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + headers
      : Array("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
    try await client.writeAndFlush(ByteBuffer(bytes: request)).get()
    try await client.setOption(.autoRead, value: false).get()
    await hasEnded.wait()
    try? await client.close().get()
    await server.shutdown()
  }

  /// Neither takes anything, and the responses of both are more than all may leave untaken: the larger one ends.
  @Test(arguments: ["http/1.1", "h2"]) func whatIsNotTakenIsLimitedInSum(_ name: String) async throws {
    let hasEnded = Gate()
    let router = Router()
    for (path, size) in [("small", 10), ("large", 16)] {
      router.get("\(path)") { _, _ in
        Response(
          status: .ok,
          body: ResponseBody { writer in
            defer { if path == "large" { hasEnded.open() } }
            try await writer.write(ByteBuffer(repeating: 0, count: size << 20))
            try await writer.finish(nil)
          })
      }
    }
    let server = try await ServerUnderTest(
      router,
      tcp: TCPLimits(
        handshakeTimeout: .seconds(3_600), idleTimeout: .seconds(3_600), writeTimeout: .seconds(3_600),
        maximumUntakenBytes: 20 << 20))
    var clients: [RawClient] = []
    for (path, source) in [("/small", "127.0.0.1"), ("/large", "127.0.0.2")] {
      let client = try await RawClient(server.port, protocols: [name], receiveBuffer: 4_096, source: source)
      // The initial window is 0; then a request by entries of HPACK's static table, with the path and the authority beside them.
      let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
      let fields: [UInt8] = [0x82, 0x87, 0x04, 6] + Array(path.utf8) + [0x01, 9] + Array("localhost".utf8)
      let headers: [UInt8] = [0, 0, UInt8(fields.count), 1, 5, 0, 0, 0, 1] + fields
      let request =
        name == "h2"
        ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + headers
        : Array("GET \(path) HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
      try await client.send(request)
      if name != "h2" { try await client.stopReading() }
      clients.append(client)
    }
    await hasEnded.wait()
    if name == "h2" { #expect(try await clients[1].resetStream() == 1) }
    #expect(clients[0].channel.isActive)
    for client in clients { await client.close() }
    await server.shutdown()
  }

  /// The one says nothing at all, the other half a request; the stream is silent for longer than both.
  @Test func whoSaysNothingIsLeftAndAStreamIsNot() async throws {
    let mayGoOn = Gate()
    let server = try await ServerUnderTest(
      .twoHalves(mayGoOn), tcp: TCPLimits(handshakeTimeout: .seconds(2), idleTimeout: .seconds(2)))
    let tls = try Self.trusting()
    let client = server.client(.http1)
    // On a busy machine the limits may be over before the request is there: then once more.
    var answered: TransportResponse?
    while answered == nil { answered = try? await client.send(.test(.get, "/stream")) }
    let response = try #require(answered)
    var bytes: [UInt8] = []
    for try await chunk in response.body {
      bytes += chunk
      guard bytes == Array("first".utf8) else { continue }
      let silent = try await Self.connect(server.port)
      let slow = try await Self.connect(server.port, over: tls)
      // On a busy machine its handshake may have taken too long already.
      try? await slow.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\n")).get()
      try await silent.closeFuture.get()
      try await slow.closeFuture.get()
      mayGoOn.open()
    }
    #expect(bytes == Array("firstsecond".utf8))
    await client.close()
    await server.shutdown()
  }
}
