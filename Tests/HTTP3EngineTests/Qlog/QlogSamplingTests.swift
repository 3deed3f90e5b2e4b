import TestSupport
import Testing

@testable import HTTP3Engine

@Suite struct QlogSamplingTests {
  @Test(arguments: [1, 2, 10, 100]) func oneOfSoManyConnectionsIsTraced(_ count: Int) throws {
    let random = RandomSource(SeededGenerator(seed: UInt64(count)))
    let server = try QUICPair.serverConfiguration {
      $0.connection.qlog = QlogConfiguration()
      $0.tracesOneOf = count
    }
    let traced = (0..<10_000).count { _ in server.drawn(random).connection.qlog != nil }
    #expect(abs(traced - 10_000 / count) <= (count == 1 ? 0 : 300), "\(traced) of 10 000")
  }

  @Test func withoutADirectoryNoneIs() throws {
    let server = try QUICPair.serverConfiguration { $0.tracesOneOf = 1 }
    #expect(server.drawn(RandomSource()).connection.qlog == nil)
  }

  /// Of four connections those that are drawn leave a trace, and the endpoint serves all.
  @Test func anEndpointTracesThoseThatAreDrawn() throws {
    let pair = try QUICPair.make(
      seed: 3,
      server: {
        $0.connection.qlog = QlogConfiguration()
        $0.tracesOneOf = 2
      })
    var traced: Set<ConnectionKey> = []
    for number in 0..<12 {
      if number > 0 { try pair.replaceClient(QUICPair.clientConfiguration()) }
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      client.send("GET", "/bytes/100")
      try pair.run { client.isDone }
      #expect(client.answers[0].isComplete && server.requests.count == 1)
      for (key, _) in pair.server.takeQlog() { traced.insert(key) }
    }
    #expect((1...11).contains(traced.count), "\(traced.count) of 12")
  }
}
