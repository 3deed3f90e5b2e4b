import HTTP3Engine
import TestSupport
import Testing

/// A trace holds no secrets, and says what it left out.
@Suite struct QlogContentTests {
  @Test func nothingSecretIsWritten() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.qlog = QlogConfiguration() }, server: { $0.connection.qlog = QlogConfiguration() })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    let id = try pair.client.sendRequest(
      [
        HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
        HeaderField(":path", "/bytes/10?key=hunter2"), HeaderField("authorization", "Bearer hunter2"),
        HeaderField("cookie", "id=hunter2"), HeaderField("x-quiet", "hunter2", isSensitive: true),
        HeaderField("x-own", "hunter2"), HeaderField("user-agent", "seen"),
      ], endStream: true)
    try pair.run { server.requests.count == 2 }
    #expect(id.rawValue == 4)
    var bytes = try #require(pair.client.takeQlog()).bytes
    #expect(String(decoding: bytes, as: UTF8.self).contains("/bytes/10?[redacted]"))
    let clientText = String(decoding: bytes, as: UTF8.self)
    #expect(!clientText.contains("hunter2") && clientText.contains("seen"))
    bytes = pair.server.takeQlog().flatMap { $0.1.bytes }
    // The server does not know what its client holds to be sensitive, and writes no field that it does not know.
    let serverText = String(decoding: bytes, as: UTF8.self)
    #expect(!serverText.contains("hunter2") && serverText.contains("x-quiet"))
    let request = try #require(
      ReadTrace(bytes)["http:frame_parsed"].last {
        ($0.data["frame"] as? [String: Any])?["frame_type"] as? String == "headers"
      })
    let fields = (request.data["frame"] as? [String: Any])?["headers"] as? [[String: String]] ?? []
    #expect(fields.first { $0["name"] == ":path" }?["value"] == "/bytes/10?[redacted]")
    #expect(fields.first { $0["name"] == "authorization" }?["value"] == "[redacted]")
    #expect(fields.first { $0["name"] == "cookie" }?["value"] == "[redacted]")
  }

  @Test func eventsThatNobodyTakesAreCounted() throws {
    var qlog = QlogConfiguration()
    qlog.waitingLimit = 20_000
    let pair = try QUICPair.make(clientLimits: { $0.qlog = qlog })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/100000")
    try pair.run { client.isDone }
    var output = try #require(pair.client.takeQlog())
    #expect(output.bytes.count <= qlog.waitingLimit)
    let gap = try #require(ReadTrace(output.bytes).events.last)
    #expect(gap.name == "generic:warning")
    let message = try #require(gap.data["message"] as? String)
    #expect(try #require(Int(message.prefix { $0.isNumber })) > 50)
    #expect(pair.client.takeQlog() == nil)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    output = try #require(pair.client.takeQlog())
    #expect(
      try ReadTrace([0x1e, 0x7b, 0x7d, 0x0a] + output.bytes).events.contains { $0.name == "transport:packet_sent" })
    #expect(server.requests.count == 2)
    #expect(pair.server.takeQlog().isEmpty)
  }
}
