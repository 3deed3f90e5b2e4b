import HTTP3Engine
import LinkModel
import TestSupport
import Testing

@Suite struct CongestionControlTests {
  /// Virtual time that a download of 2 MB takes over 100 ms round trip with 2 % loss.
  private func downloadTime(_ congestionControl: CongestionControl) throws -> Duration {
    var direction = DirectionConditions(oneWayDelayMilliseconds: 50)
    direction.rateBitsPerSecond = 20e6
    direction.queueBytes = 250_000
    direction.loss = .bernoulli(rate: 0.02, longestBurst: nil)
    let pair = try QUICPair.make(
      seed: 9, conditions: LinkConditions(bothWays: direction),
      clientLimits: { $0.congestionControl = congestionControl },
      server: { $0.connection.congestionControl = congestionControl })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let start = pair.now
    client.send("GET", "/bytes/2000000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(2_000_000))
    #expect(server.keys.count == 1)
    return pair.now - start
  }

  @Test(arguments: CongestionControl.allCases)
  func everyKindCarriesAWholeBody(_ congestionControl: CongestionControl) throws {
    #expect(try downloadTime(congestionControl) > .milliseconds(800))
  }

  /// BBR does not take a lost packet for a full queue, so the setting shows.
  @Test func bbrIsFasterUnderRandomLoss() throws {
    let bbr = try downloadTime(.bbr)
    #expect(try downloadTime(.reno) > bbr * 2)
    #expect(try downloadTime(.cubic) > bbr * 2)
  }
}
