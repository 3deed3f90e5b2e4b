import HTTP3Engine
import TestSupport
import Testing

@Suite struct TransferTests {
  @Test func aHundredRequestsRunAtOnce() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    for index in 0..<100 { client.send("GET", "/bytes/\(index * 37)") }
    var mostAtOnce = 0
    try pair.run {
      mostAtOnce = max(mostAtOnce, pair.client.openStreamCount)
      return client.isDone
    }
    #expect(mostAtOnce == 100)
    #expect(server.requests.count == 100)
    for index in 0..<100 { #expect(client.answers[index].body == EchoServer.pattern(index * 37)) }
    try pair.run { pair.client.openStreamCount == 0 }
  }

  @Test func aThousandRequestsRunAtOnce() throws {
    let pair = try QUICPair.make(server: { $0.connection.maximumRequests = 1_000 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    for index in 0..<1_000 { client.send("GET", "/bytes/\(index * 7)") }
    var mostAtOnce = 0
    try pair.run {
      mostAtOnce = max(mostAtOnce, pair.client.openStreamCount)
      return client.isDone
    }
    #expect(mostAtOnce == 1_000)
    #expect(server.requests.count == 1_000)
    for index in 0..<1_000 { #expect(client.answers[index].body == EchoServer.pattern(index * 7)) }
    try pair.run { pair.client.openStreamCount == 0 }
  }

  /// However many streams there are, unread bytes stop at the connection's window.
  @Test func aThousandUnreadBodiesStopAtTheConnectionsWindow() throws {
    let window = 2 << 20
    let pair = try QUICPair.make(
      clientLimits: { $0.connectionWindow = UInt64(window) }, server: { $0.connection.maximumRequests = 1_000 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.consumes = false
    for _ in 0..<1_000 { client.send("GET", "/bytes/10000") }
    try pair.run(for: .seconds(5))
    let unread = client.answers.map(\.body.count)
    #expect((window / 2...window).contains(unread.reduce(0, +)))
    client.consumes = true
    for (index, count) in unread.enumerated() { pair.client.consume(count, on: try #require(client.streams[index])) }
    try pair.run { client.isDone }
    #expect(client.answers.allSatisfy { $0.body == EchoServer.pattern(10_000) })
    #expect(server.requests.count == 1_000)
  }

  @Test func moreRequestsThanTheLimitWaitForTheirTurn() throws {
    let pair = try QUICPair.make(server: { $0.connection.maximumRequests = 5 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    for _ in 0..<23 { client.send("GET", "/bytes/2000") }
    try pair.run { client.isDone }
    #expect(client.answers.allSatisfy { $0.isComplete && $0.body.count == 2000 })
    #expect(server.requests.count == 23)
  }

  @Test func tenMebibytesGoBothWays() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let body = EchoServer.pattern(10 << 20)
    client.send("POST", "/echo", body: body)
    try pair.run { client.isDone }
    #expect(client.answers[0].body == body)
    #expect(server.requests.count == 1)
  }

  @Test func anUnreadBodyStopsAtItsWindowAndHoldsUpNoOtherStream() throws {
    let window = 1 << 20
    let pair = try QUICPair.make(clientLimits: { $0.streamWindow = UInt64(window) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.consumes = false
    client.send("GET", "/bytes/4000000")
    try pair.run(for: .seconds(5))
    let stalled = client.answers[0].body.count
    #expect(stalled > window / 2 && stalled <= window)
    let stream = try #require(client.streams[0])
    client.send("GET", "/bytes/1000")
    try pair.run { client.answers[1].isComplete }
    #expect(client.answers[0].body.count == stalled)
    client.consumes = true
    pair.client.consume(stalled, on: stream)
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(4_000_000))
    #expect(server.requests.count == 2)
  }

  @Test func aSmallResponseOvertakesALargeOneThatIsBufferedWhole() throws {
    let pair = try QUICPair.make(clientLimits: { $0.streamWindow = 8 << 20 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let large = client.send("GET", "/hold")
    try pair.run { client.answers[large].status == "200" }
    let key = try #require(server.keys.first)
    let stream = try #require(client.streams[large])
    try pair.server.connection(key)?.sendBody(EchoServer.pattern(6_000_000), on: stream, endStream: true)
    try pair.run { client.answers[large].body.count > 100_000 }
    let small = client.send("GET", "/bytes/1000")
    try pair.run { client.answers[small].isComplete }
    #expect(client.answers[large].body.count < 4_000_000)
    try pair.run { client.isDone }
    #expect(client.answers[large].body == EchoServer.pattern(6_000_000))
  }

  @Test func cancelledAndUnreadBodiesGiveTheirWindowBack() throws {
    let pair = try QUICPair.make(clientLimits: {
      $0.streamWindow = 256 << 10
      $0.connectionWindow = 512 << 10
    })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    // Far more than the connection's window in all: a leak would stall one of the later requests.
    for round in 0..<20 {
      client.consumes = false
      let index = client.send("GET", "/bytes/1000000")
      try pair.run { client.answers[index].body.count > 100_000 }
      let stream = try #require(client.streams[index])
      pair.client.cancel(stream, code: .requestCancelled)
      pair.client.cancel(stream, code: .requestCancelled)
      try pair.run { server.stops.count == round + 1 }
      #expect(server.stops[round] == .requestCancelled)
      try pair.run { pair.client.openStreamCount == 0 }
    }
    client.consumes = true
    let last = client.send("GET", "/bytes/2000000")
    try pair.run { client.answers[last].isComplete }
    #expect(client.answers[last].body == EchoServer.pattern(2_000_000))
  }

  @Test func bodiesOfAllSmallSizesArrive() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let sizes = [0, 1, 2, 63, 64, 1_199, 1_200, 1_201, 16_383, 16_384, 65_536]
    for size in sizes { client.send("POST", "/echo", body: EchoServer.pattern(size)) }
    try pair.run { client.isDone }
    for (index, size) in sizes.enumerated() {
      #expect(client.answers[index].body == EchoServer.pattern(size))
    }
    #expect(server.requests.count == sizes.count)
  }
}
