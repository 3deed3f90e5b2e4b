import HTTPTypes
import Hummingbird
import NIOCore
import StreamTransport
import Testing

/// HEAD (RFC 9110 § 9.3.2), where the responder has answered as to GET.
@Suite(.timeLimit(.minutes(10)))
struct HeadTests {
  /// `/text` has a length, `/stream` none and would never end.
  private static func server() async throws -> ServerUnderTest {
    let router = Router()
    for method in [HTTPRequest.Method.get, .head] {
      router.on("text", method: method) { _, _ in
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "hello")))
      }
    }
    router.on("stream", method: .head) { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          while true { try await writer.write(ByteBuffer(string: "more")) }
        })
    }
    return try await ServerUnderTest(router)
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func theFieldsComeAndNoContent(_ kind: TransportKindUnderTest) async throws {
    let server = try await Self.server()
    let client = server.client(kind)
    for (path, length) in [("/text", "5"), ("/stream", nil)] {
      let response = try await client.send(.test(.head, path))
      #expect(response.head.status == .ok)
      #expect(response.head.headerFields[.contentLength] == length)
      #expect(try await response.body.collect(upTo: 100).isEmpty)
    }
    await client.close()
    await server.shutdown()
  }

  /// A byte too many would be the beginning of the next response.
  @Test func nothingStandsBetweenTwoResponses() async throws {
    let server = try await Self.server()
    let client = try await RawClient(server.port)
    for path in ["/text", "/stream", "/text"] { try await client.request("HEAD \(path) HTTP/1.1", ["host: localhost"]) }
    try await client.request("GET /text HTTP/1.1", ["host: localhost", "connection: close"])
    for _ in 0..<4 { #expect(try await client.head().hasPrefix("HTTP/1.1 200 OK\r\n")) }
    #expect(await client.rest() == Array("hello".utf8))
    await client.close()
    await server.shutdown()
  }

  /// Content would be an error of the connection, which others' requests share.
  @Test func aConnectionOfHTTP2GoesOn() async throws {
    let server = try await Self.server()
    let client = try await RawClient(server.port, protocols: ["h2"])
    // By entries of HPACK's static table, with path, authority, and the method HEAD beside them.
    let path = Array("/text".utf8)
    let common: [UInt8] = [0x87, 0x04, UInt8(path.count)] + path + [0x01, 9] + Array("localhost".utf8)
    let head: [UInt8] = [0x02, 4] + Array("HEAD".utf8) + common
    let get: [UInt8] = [0x82] + common
    func headers(_ stream: UInt8, _ fields: [UInt8]) -> [UInt8] {
      [0, 0, UInt8(fields.count), 1, 5, 0, 0, 0, stream] + fields
    }
    let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    try await client.send(start + headers(1, head))
    #expect(try await client.content(of: 1).isEmpty)
    try await client.send(headers(3, get))
    #expect(try await client.content(of: 3) == Array("hello".utf8))
    await client.close()
    await server.shutdown()
  }
}
