import HTTP3Engine
import LinkModel
import TestSupport
import Testing

@Suite struct LateEndTests {
  /// nghttp3 (1.8) forgets the end of a message that it has offered, that pacing or the congestion window held back, and
  /// whose body is acknowledged as a whole before the next offer.
  @Test func anEndThatIsHeldBackIsNotLostWhenTheBodyIsAcknowledged() throws {
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 100))
    let pair = try QUICPair.make(conditions: conditions)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    // The pace still fits the long round trip when acknowledgements come after the short one.
    try pair.link.change { $0 = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 0.1)) }
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

  /// The same of an urgent response, beside one that always has something to send and would be offered in its place.
  @Test func anEndThatIsHeldBackDoesNotWaitForAnotherResponse() throws {
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 100))
    let pair = try QUICPair.make(conditions: conditions, clientLimits: { $0.maximumAckDelay = .zero })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold", fields: [HeaderField("priority", "u=0")])
    client.send("GET", "/bytes/100000000")
    try pair.run { client.answers[0].status != nil && !client.answers[1].body.isEmpty }
    try pair.link.change { $0 = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 0.1)) }
    let key = try #require(server.keys.first)
    let stream = try #require(client.streams[0])
    try pair.server.connection(key)?.sendBody(EchoServer.pattern(300), on: stream, endStream: false)
    try pair.run { !client.answers[0].body.isEmpty }
    try pair.server.connection(key)?.sendBody([], on: stream, endStream: true)
    let before = client.answers[1].body.count
    try pair.run { client.answers[0].isComplete }
    // What leaves in one burst may leave first; without an end it is 13 MB.
    #expect(client.answers[1].body.count - before < 500_000)
  }
}
