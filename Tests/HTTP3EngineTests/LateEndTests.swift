import HTTP3Engine
import TestSupport
import Testing

@Suite struct LateEndTests {
  /// nghttp3 (1.8) forgets the end of a message that it has offered, that pacing or the congestion window held back, and
  /// whose body is acknowledged as a whole before the next offer.
  @Test func anEndThatIsHeldBackIsNotLostWhenTheBodyIsAcknowledged() throws {
    var conditions = SeededLink.Conditions()
    conditions.delay = .milliseconds(100)
    let pair = try QUICPair.make(conditions: conditions)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    // The pace still fits the long round trip when acknowledgements come after the short one.
    pair.toClient.conditions.delay = .microseconds(100)
    pair.toServer.conditions.delay = .microseconds(100)
    let key = try #require(server.keys.first)
    let stream = try #require(client.streams[0])
    try pair.server.connection(key)?.sendBody(EchoServer.pattern(3_000), on: stream, endStream: false)
    try pair.run(for: .microseconds(1))
    try pair.server.connection(key)?.sendBody([], on: stream, endStream: true)
    let start = pair.now
    try pair.run { client.isDone || pair.now - start > .seconds(5) }
    #expect(client.answers[0].isComplete)
    #expect(client.answers[0].body == EchoServer.pattern(3_000))
  }
}
