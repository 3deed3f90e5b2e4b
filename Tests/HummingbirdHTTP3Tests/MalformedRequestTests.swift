import Hummingbird
import TestSupport
import Testing

@testable import HummingbirdHTTP3

/// Malformed requests of HTTP/2 are errors of their streams (RFC 9113 § 8.1.1): the connection's other requests go on.
@Suite(.timeLimit(.minutes(10)))
struct MalformedRequestTests {
  /// A field by its own name and value, without HPACK's tables (RFC 7541 § 6.2.2).
  private static func field(_ name: String, _ value: String) -> [UInt8] {
    [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
  }

  private static func frame(_ type: UInt8, _ flags: UInt8, on stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
  }

  /// GET https://localhost/, of which the path may be left out.
  private static func request(hasPath: Bool = true) -> [UInt8] {
    field(":method", "GET") + field(":scheme", "https") + field(":authority", "localhost")
      + (hasPath ? field(":path", "/") : [])
  }

  private static func rawFrames(_ malformed: [UInt8]) -> [UInt8] { frame(1, 5, on: 3, malformed) }

  private static let cases: [(String, [UInt8])] = [
    ("a name in capitals", rawFrames(request() + field("X-Field", "a"))),
    ("a field of the connection", rawFrames(request() + field("connection", "close"))),
    ("a value with a line feed", rawFrames(request() + field("x", "a\nb"))),
    ("no path", rawFrames(request(hasPath: false))),
    ("an empty path", rawFrames(request(hasPath: false) + field(":path", ""))),
    ("two paths", rawFrames(request() + field(":path", "/"))),
    ("an unknown pseudo-field", rawFrames(request() + field(":other", "a"))),
    ("a pseudo-field behind a field", rawFrames(request(hasPath: false) + field("x", "a") + field(":path", "/"))),
    ("less content than announced", rawFrames(request() + field("content-length", "5"))),
    ("a length that is no number", rawFrames(request() + field("content-length", "x"))),
    ("pseudo-fields as trailers", frame(1, 4, on: 3, request()) + frame(1, 5, on: 3, field(":path", "/"))),
    ("trailers before the end", frame(1, 4, on: 3, request()) + frame(1, 4, on: 3, field("x", "a"))),
    (
      "more content than announced",
      frame(1, 4, on: 3, request() + field("content-length", "1")) + frame(0, 1, on: 3, [1, 2])
    ),
  ]

  @Test(arguments: cases) func aMalformedRequestIsItsStreamsError(_ name: String, _ malformed: [UInt8]) async throws {
    let mayGoOn = Gate()
    let server = try await ServerUnderTest(.twoHalves(mayGoOn))
    let client = try await RawClient(server.port, protocols: ["h2"])
    let sound = Self.field(":method", "GET") + Self.field(":scheme", "https") + Self.field(":authority", "localhost")
    try await client.send(
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4, 0, on: 0, [])
        + Self.frame(1, 5, on: 1, sound + Self.field(":path", "/stream")))
    try await client.send(malformed)
    #expect(try await client.resetStream() == 3)
    mayGoOn.open()
    // The first half may have come before the reset.
    #expect(String(decoding: try await client.content(of: 1), as: UTF8.self).hasSuffix("second"))
    // And the next request is answered.
    try await client.send(Self.frame(1, 5, on: 5, Self.request()))
    _ = try await client.content(of: 5)
    await client.close()
    await server.shutdown()
  }

  /// Without end they are an attack (RFC 9113 § 10.5).
  @Test func manyMalformedRequestsEndTheConnection() async throws {
    let server = try await ServerUnderTest(Router())
    let client = try await RawClient(server.port, protocols: ["h2"])
    try await client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4, 0, on: 0, []))
    for stream in stride(from: 1, to: 1_000, by: 2) {
      let fields = Self.request() + Self.field("X", "a")
      let header = [0, 0, UInt8(fields.count), 1, 5, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xff)]
      guard (try? await client.send(header + fields)) != nil else { break }
    }
    _ = await client.rest()
    try await client.channel.closeFuture.get()
    await server.shutdown()
  }
}
