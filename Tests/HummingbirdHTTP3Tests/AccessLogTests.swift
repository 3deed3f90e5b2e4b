import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import NIOCore
import StreamTransport
import TestSupport
import Testing

/// The access log of a server.
@Suite(.timeLimit(.minutes(10)))
struct AccessLogTests {
  private struct Broken: Error {}

  private static func transport(_ kind: TransportKindUnderTest) -> AccessRecord.Transport {
    switch kind {
    case .http1: .http1
    case .http3: .http3
    }
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func aRequestIsARecord(_ kind: TransportKindUnderTest) async throws {
    let records = KeptRecords()
    let router = Router()
    router.post("echo") { request, _ in Response(status: .created, body: .init(asyncSequence: request.body)) }
    let server = try await ServerUnderTest(router, records: records)
    let client = server.client(kind)
    var request = HTTPRequest.test(.post, "/echo?token=secret")
    request.headerFields[.userAgent] = "test \"agent\""
    request.headerFields[.referer] = "https://elsewhere.example/page?token=secret"
    request.headerFields[try #require(HTTPField.Name("x-request-id"))] = "id-1"
    let response = try await client.send(request, body: .bytes(Array(repeating: 1, count: 70_000)))
    #expect(try await response.body.collect(upTo: 100_000).count == 70_000)
    let record = try #require(await records.next())
    #expect(record.transport == Self.transport(kind))
    #expect(record.clientAddress == "127.0.0.1" || record.clientAddress == "::1")
    #expect(record.method == "POST" && record.path == "/echo" && record.authority == "localhost:\(server.port)")
    #expect(record.referrer == "https://elsewhere.example/page" && record.userAgent == "test \"agent\"")
    #expect(record.requestID == "id-1")
    #expect(record.status == 201 && record.bytesReceived == 70_000 && record.bytesSent == 70_000)
    #expect(record.ending == .complete && record.code == nil)
    #expect(record.isResumed == (kind == .http3 ? false : nil) && !record.isEarlyData)
    #expect(record.time > .seconds(1_700_000_000) && record.duration >= .zero)
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func oneConnectionsRequestsAreCountedEachByItself(_ kind: TransportKindUnderTest) async throws {
    let records = KeptRecords()
    let router = Router()
    router.get("bytes/:count") { _, context in
      let count = try context.parameters.require("count", as: Int.self)
      return ByteBuffer(repeating: 1, count: count)
    }
    let server = try await ServerUnderTest(router, records: records)
    let client = server.client(kind)
    for count in [3, 0, 50_000] {
      let response = try await client.send(.test(.get, "/bytes/\(count)"))
      _ = try await response.body.collect(upTo: 100_000)
      let record = try #require(await records.next())
      #expect(record.path == "/bytes/\(count)" && record.bytesSent == count && record.bytesReceived == 0)
    }
    let missing = try await client.send(.test(.get, "/missing"))
    _ = try await missing.body.collect(upTo: 100_000)
    #expect(await records.next()?.status == 404)
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func aClientThatLeavesIsSeen(_ kind: TransportKindUnderTest) async throws {
    let records = KeptRecords()
    let router = Router()
    router.get("stream") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "first"))
          try await waitForCancellation()
        })
    }
    let server = try await ServerUnderTest(router, records: records)
    let client = server.client(kind)
    let response = try await client.send(.test(.get, "/stream"))
    for try await _ in response.body { break }
    await client.close()
    let record = try #require(await records.next())
    #expect(record.ending == .left && record.status == 200 && record.bytesSent == 5)
    if kind == .http3 { #expect(record.code != nil) }
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func aHandlerThatFailsBehindTheHeadIsSeen(_ kind: TransportKindUnderTest) async throws {
    let records = KeptRecords()
    let router = Router()
    router.get("broken") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "first"))
          throw Broken()
        })
    }
    let server = try await ServerUnderTest(router, records: records)
    let client = server.client(kind)
    await #expect(throws: TransportError.self) {
      let response = try await client.send(.test(.get, "/broken"))
      _ = try await response.body.collect(upTo: 100)
    }
    let record = try #require(await records.next())
    #expect(record.ending == .failed && record.status == 200 && record.bytesSent == 5)
    await client.close()
    await server.shutdown()
  }

  /// HTTP/3's server answers it before a handler sees it, the others' behind the journal.
  @Test(arguments: TransportKindUnderTest.allCases)
  func aRefusedAuthorityIsARecord(_ kind: TransportKindUnderTest) async throws {
    let records = KeptRecords()
    let server = try await ServerUnderTest(Router(), records: records, authorities: ["example.org"])
    let client = server.client(kind)
    let response = try await client.send(.test(.get, "/a?b"))
    #expect(response.head.status == .misdirectedRequest)
    let record = try #require(await records.next())
    #expect(record.status == 421 && record.path == "/a" && record.transport == Self.transport(kind))
    #expect(record.clientAddress == "127.0.0.1" || record.clientAddress == "::1")
    await client.close()
    await server.shutdown()
  }

  @Test func resumptionAndEarlyDataAreSeen() async throws {
    let records = KeptRecords()
    let router = Router()
    router.get("hello") { _, _ in "hello" }
    let server = try await ServerUnderTest(router, records: records)
    let store = ResumptionStore.patient
    let origin = Origin(scheme: .https, host: "localhost", port: server.port)
    for isFirst in [true, false] {
      let client = HTTP3Transport(
        origin: origin, tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, configuration: .patient, resumption: store)
      let response = try await client.send(.test(.get, "/hello"))
      _ = try await response.body.collect(upTo: 100)
      let record = try #require(await records.next())
      #expect(record.isResumed == !isFirst)
      // A request beside the handshake may come behind its end over loopback, and is no early data then.
      if record.isEarlyData { #expect(response.connection.resumption == .earlyDataAccepted) }
      await until { await store.ticketCount(origin) >= 1 }
      await client.close()
    }
    await server.shutdown()
  }

  /// Requests that a client sends before it has the responses of those before them.
  @Test func requestsInAPipelineAreCountedEachByItself() async throws {
    let records = KeptRecords()
    let router = Router()
    router.post("echo") { request, _ in Response(status: .ok, body: .init(asyncSequence: request.body)) }
    let server = try await ServerUnderTest(router, records: records)
    let client = try await RawClient(server.port)
    let requests = (1...20).map {
      "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: \($0)\r\n\r\n" + String(repeating: "x", count: $0)
    }
    try await client.send(Array(requests.joined().utf8))
    for number in 1...20 {
      let record = try #require(await records.next())
      #expect(record.bytesReceived == number && record.bytesSent == number && record.status == 200)
    }
    try await client.channel.close().get()
    await server.shutdown()
  }

  @Test func aRequestOfHTTP2IsARecord() async throws {
    let records = KeptRecords()
    let router = Router()
    router.post("/") { request, _ in Response(status: .ok, body: .init(asyncSequence: request.body)) }
    let server = try await ServerUnderTest(router, records: records)
    let client = try await RawClient(server.port, protocols: ["h2"])
    func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
    // POST, https, / and the authority from HPACK's static table (RFC 7541, Appendix A).
    let fields: [UInt8] = [0x83, 0x87, 0x84, 0x41, 9] + Array("localhost".utf8)
    try await client.send(
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, []) + frame(1, 4, 1, fields)
        + frame(0, 1, 1, Array("hello".utf8)))
    let record = try #require(await records.next())
    #expect(record.transport == .http2 && record.path == "/" && record.authority == "localhost")
    #expect(record.status == 200 && record.bytesReceived == 5 && record.bytesSent == 5)
    #expect(record.clientAddress == "127.0.0.1" && record.ending == .complete)
    try await client.channel.close().get()
    await server.shutdown()
  }

  @Test func aWebSocketIsOneRecordAtItsEnd() async throws {
    let records = KeptRecords()
    let server = try await ServerUnderTest(Router(), records: records) { _ in
      .accept { _, outbound in try await outbound.write("hello") }
    }
    let client = try await RawClient.webSocket(server.port)
    #expect(await client.frame() == .text("hello"))
    #expect(await client.frame()?.closeCode == 1000)
    let record = try #require(await records.next())
    #expect(record.transport == .webSocket && record.status == 101 && record.path == "/socket")
    #expect(record.bytesSent == nil && record.ending == .complete)
    try await client.send(.close(1000))
    await server.shutdown()
  }
}
