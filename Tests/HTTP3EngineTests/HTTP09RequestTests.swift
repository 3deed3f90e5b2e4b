import HTTP3Engine
import TestSupport
import Testing

/// A server's reading of request lines: whole, in two halves, and byte by byte.
@Suite struct HTTP09RequestTests {
  struct Row: CustomTestStringConvertible {
    var bytes: [UInt8]
    /// Nil where the stream is refused.
    var path: String?
    var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self).debugDescription }

    init(_ text: String, path: String?) {
      bytes = Array(text.utf8)
      self.path = path
    }
  }

  static let rows = [
    Row("GET /a\r\n", path: "/a"),
    Row("GET /a\n", path: "/a"),
    Row("GET /a", path: "/a"),
    Row("GET /a\r", path: "/a"),
    Row("GET /a/b%20c?d=e\r\nHost: x\r\n\r\n", path: "/a/b%20c?d=e"),
    Row("GET /../etc/passwd\r\n", path: "/../etc/passwd"),
    Row("GET /" + String(repeating: "x", count: 8_000) + "\r\n", path: "/" + String(repeating: "x", count: 8_000)),
    Row("GET /" + String(repeating: "x", count: 8_192) + "\r\n", path: nil),
    Row("", path: nil),
    Row("\r\n", path: nil),
    Row("GET \r\n", path: nil),
    Row("GET a\r\n", path: nil),
    Row("get /a\r\n", path: nil),
    Row("POST /a\r\n", path: nil),
    Row("GET /a HTTP/1.1\r\n", path: nil),
    Row("GET /a\0b\r\n", path: nil),
    Row("GET /a\u{e9}\r\n", path: nil),
  ]

  /// A raw client that names HTTP/0.9, so that the server sees exactly these bytes.
  @Test(arguments: rows, [1, 2, Int.max])
  func requestsAreReadWhateverTheirPieces(_ row: Row, pieces: Int) throws {
    let pair = try HTTP09Tests.pair(client: { $0.isRaw = true })
    let server = EchoServer(on: pair)
    var isReady = false
    pair.onClient = { event in
      if case .handshakeCompleted = event { isReady = true }
    }
    try pair.run { isReady }
    let stream = try #require(pair.client.raw?.open(isBidirectional: true))
    let size = max(1, pieces == .max ? row.bytes.count : pieces == 2 ? (row.bytes.count + 1) / 2 : 1)
    // Lines of thousands of bytes one by one would only repeat what the short ones show.
    guard row.bytes.count / size < 2_000 else { return }
    var rest = row.bytes[...]
    repeat {
      pair.client.raw?.send(Array(rest.prefix(size)), on: stream, isLast: rest.count <= size)
      rest = rest.dropFirst(size)
      try pair.run(for: .milliseconds(1))
    } while !rest.isEmpty
    // The connection serves on.
    let next = try #require(pair.client.raw?.open(isBidirectional: true))
    pair.client.raw?.send(Array("GET /next\r\n".utf8), on: next, isLast: true)
    try pair.run { server.requests.last?.last?.value == "/next" }
    #expect(server.requests.map { $0.last?.value } == [row.path, "/next"].compactMap(\.self))
    #expect(server.connectionErrors.isEmpty)
  }
}
