import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import NIOCore
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// WebSockets over TLS on loopback.
@Suite(.timeLimit(.minutes(10)))
struct WebSocketServerTests {
  private struct Broken: Error {}

  /// Sends back what comes.
  private static let echo: WebSocketHandler = { _ in
    .accept { inbound, outbound in
      for try await message in inbound {
        switch message {
        case .text(let text): try await outbound.write(text)
        case .binary(let bytes): try await outbound.write(bytes)
        }
      }
    }
  }

  @Test func messagesGoBothWays() async throws {
    let server = try await ServerUnderTest(Router(), webSocket: Self.echo)
    let client = try await RawClient.webSocket(server.port)
    try await client.send(.text("one"), ClientFrame(0x01, Array("tw".utf8)), ClientFrame(0x80, Array("o".utf8)))
    #expect(await client.frame() == .text("one"))
    #expect(await client.frame() == .text("two"))
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try await client.send(ClientFrame(0x82, large))
    #expect(await client.frame() == ServerFrame(first: 0x82, payload: large))
    try await client.send(.close(1000))
    #expect(await client.frame()?.closeCode == 1000)
    #expect(await client.rest().isEmpty)
    await server.shutdown()
  }

  @Test func theHandlerSeesTheRequestAndTheClientTheAnswer() async throws {
    let server = try await ServerUnderTest(Router()) { request in
      guard request.head.headerFields[.origin] == "https://localhost", request.head.authority == "localhost" else {
        return .refuse(
          Response(
            status: .forbidden, headers: [.contentType: "text/plain"], body: .init(byteBuffer: ByteBuffer(string: "no"))
          ))
      }
      return .accept(subprotocol: request.subprotocols.last) { _, outbound in
        try await outbound.write("\(request.head.path ?? "") \(request.remoteAddress?.ipAddress ?? "") \(request.id)")
      }
    }
    let client = try await RawClient(server.port)
    try await client.request(
      "GET /socket?a=b HTTP/1.1",
      RawClient.fields + ["origin: https://localhost", "sec-websocket-protocol: a, b", "x-request-id: id-1"])
    let lines = try await client.head().lowercased().split(separator: "\r\n")
    #expect(lines.first == "http/1.1 101 switching protocols")
    // RFC 6455 § 1.3 has the answer to its key.
    #expect(lines.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="))
    #expect(lines.contains("sec-websocket-protocol: b"))
    #expect(lines.contains("x-request-id: id-1"))
    #expect(lines.contains("server: test"))
    #expect(await client.frame() == .text("/socket?a=b 127.0.0.1 id-1"))
    #expect(await client.frame()?.closeCode == 1000)
    try await client.send(.close(1000))
    #expect(await client.rest().isEmpty)

    let stranger = try await RawClient(server.port)
    try await stranger.request("GET /socket HTTP/1.1", RawClient.fields + ["origin: https://evil.example"])
    #expect(try await stranger.head().hasPrefix("HTTP/1.1 403 "))
    #expect(await stranger.rest() == Array("no".utf8))
    await server.shutdown()
  }

  struct Request: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    var line = "GET /socket HTTP/1.1"
    /// A field that is added, or replaces the one of its name.
    var field: String
    var body = ""
  }

  private static let unsound = [
    Request(testDescription: "another version", status: 426, field: "sec-websocket-version: 8"),
    Request(testDescription: "two versions", status: 426, field: "sec-websocket-version: 13, 8"),
    Request(testDescription: "no key", status: 400, field: "sec-websocket-key: "),
    Request(testDescription: "short key", status: 400, field: "sec-websocket-key: dGhlIHNhbXBsZSBub25j"),
    Request(
      testDescription: "key that is no Base64", status: 400, field: "sec-websocket-key: !!!hlIHNhbXBsZSBub25jZQ=="),
    Request(testDescription: "body", status: 400, field: "content-length: 2", body: "ab"),
    Request(
      testDescription: "chunked body", status: 400, field: "transfer-encoding: chunked", body: "1\r\na\r\n0\r\n\r\n"),
    Request(testDescription: "POST", status: 400, line: "POST /socket HTTP/1.1", field: "content-length: 0"),
    Request(testDescription: "host that makes no sense", status: 400, field: "host: a@localhost"),
  ]

  @Test(arguments: unsound) func unsoundRequestsAreRefused(_ request: Request) async throws {
    let server = try await ServerUnderTest(Router()) { _ in .refuse(Response(status: .noContent)) }
    let client = try await RawClient(server.port)
    let name = request.field.prefix { $0 != ":" }
    let fields = RawClient.fields.filter { !$0.hasPrefix(name + ":") } + [request.field]
    try await client.request(request.line, fields, behind: Array(request.body.utf8))
    let head = try await client.head().lowercased()
    #expect(head.hasPrefix("http/1.1 \(request.status) "))
    #expect(head.contains("\r\nconnection: close"))
    #expect(head.contains("\r\nsec-websocket-version: 13") == (request.status == 426))
    _ = await client.rest()
    await server.shutdown()
  }

  @Test func withoutAHandlerAnUpgradeIsARequestLikeAnyOther() async throws {
    let router = Router()
    router.get("socket") { _, _ in "plain" }
    let server = try await ServerUnderTest(router)
    let client = try await RawClient(server.port)
    try await client.request()
    let head = try await client.head().lowercased()
    #expect(head.hasPrefix("http/1.1 200 ok"))
    #expect(!head.contains("\r\nconnection:"))
    #expect(head.contains("\r\nalt-svc:"))
    await client.close()
    await server.shutdown()
  }

  /// A field `upgrade` that `connection` does not name means nothing (RFC 9110 § 7.8).
  @Test func otherRequestsAreServedBesideWebSockets() async throws {
    let router = Router()
    router.get("socket") { _, _ in "plain" }
    let server = try await ServerUnderTest(router, webSocket: Self.echo)
    let client = try await RawClient(server.port)
    let fields = RawClient.fields.filter { !$0.hasPrefix("connection") }
    try await client.request("GET /socket HTTP/1.1", fields)
    #expect(try await client.head().hasPrefix("HTTP/1.1 200 "))
    await client.close()
    for kind in TransportKindUnderTest.allCases {
      let client = server.client(kind)
      #expect(try await client.send(.test(.get, "/socket")).head.status == .ok)
      await client.close()
    }
    await server.shutdown()
  }

  /// Requests before it are answered first; bytes behind it are the WebSocket's.
  @Test func anUpgradeKeepsItsPlaceInAPipeline() async throws {
    let router = Router()
    router.get("plain") { _, _ in "first" }
    let server = try await ServerUnderTest(router, webSocket: Self.echo)
    let client = try await RawClient(server.port)
    let plain = Array("GET /plain HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
    let upgrade = Array((["GET /socket HTTP/1.1"] + RawClient.fields + ["", ""]).joined(separator: "\r\n").utf8)
    try await client.send(plain + upgrade + ClientFrame.text("early").bytes)
    #expect(try await client.head().hasPrefix("HTTP/1.1 200 "))
    #expect(try await client.head().hasPrefix("firstHTTP/1.1 101 "))
    #expect(await client.frame() == .text("early"))
    await client.close()
    await server.shutdown()
  }

  @Test func aRequestBehindAnUpgradeIsNoFrame() async throws {
    let server = try await ServerUnderTest(Router(), webSocket: Self.echo)
    let client = try await RawClient(server.port)
    try await client.request(behind: Array("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8))
    #expect(try await client.head().hasPrefix("HTTP/1.1 101 "))
    #expect(await client.frame()?.closeCode == 1002)
    await client.close()
    await server.shutdown()
  }

  @Test func bytesBehindAnUpgradeThatWaitsAreBounded() async throws {
    let isCancelled = Gate()
    let server = try await ServerUnderTest(Router()) { _ in
      _ = try? await waitForCancellation()
      isCancelled.open()
      return .refuse(Response(status: .ok))
    }
    let client = try await RawClient(server.port)
    try await client.request(behind: Array(repeating: 0, count: 200_000))
    #expect(await client.rest().isEmpty)
    await isCancelled.wait()
    await server.shutdown()
  }

  @Test func aHandlerThatThrowsClosesWith1011() async throws {
    let server = try await ServerUnderTest(Router()) { _ in .accept { _, _ in throw Broken() } }
    let client = try await RawClient.webSocket(server.port)
    #expect(await client.frame()?.closeCode == 1011)
    try await client.send(.close(1011))
    #expect(await client.rest().isEmpty)
    await server.shutdown()
  }

  @Test func aSubprotocolThatNobodyOfferedIsTheServersFault() async throws {
    let server = try await ServerUnderTest(Router()) { _ in .accept(subprotocol: "other") { _, _ in } }
    let client = try await RawClient(server.port)
    try await client.request()
    #expect(try await client.head().hasPrefix("HTTP/1.1 500 "))
    await client.close()
    await server.shutdown()
  }

  @Test func theApplicationChoosesACode() async throws {
    let server = try await ServerUnderTest(Router()) { _ in
      .accept { inbound, outbound in
        outbound.close(WebSocketCloseCode(rawValue: 4001), reason: "revoked")
        for try await _ in inbound {}
        await #expect(throws: WebSocketError.self) { try await outbound.write("late") }
      }
    }
    let client = try await RawClient.webSocket(server.port)
    #expect(await client.frame() == ServerFrame(first: 0x88, payload: [0x0f, 0xa1] + Array("revoked".utf8)))
    try await client.send(.close(4001))
    #expect(await client.rest().isEmpty)
    await server.shutdown()
  }
}
