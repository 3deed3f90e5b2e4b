import LinkModel

/// The public runner's networks (quic-network-simulator, sim/scenarios) as conditions of our links.
enum CaseNetwork: Hashable, Sendable {
  case simple
  /// 750 ms one way.
  case longRoundTrip
  /// Shares of the UDP packets each way, at most three in a row.
  case loss(Double)
  /// The same of damaged packets, which are delivered.
  case corruption(Double)
  /// The client's UDP packets of these numbers, counted from 1.
  case dropsToServer([Int])
  /// Nothing passes from 5 s on for 2 s, once.
  case blackhole
  /// The client's NAT forgets its bindings after 1 s and then each 5 s.
  case rebinding(changesAddress: Bool)

  /// One way in milliseconds, bits a second, packets: what every scenario has.
  static let delayMilliseconds = 15.0
  static let rateBitsPerSecond = 10e6
  static let queuePackets = 25
  static let longestBurst = 3

  var conditions: LinkConditions {
    var direction = DirectionConditions(oneWayDelayMilliseconds: Self.delayMilliseconds)
    direction.rateBitsPerSecond = Self.rateBitsPerSecond
    direction.queuePackets = Self.queuePackets
    switch self {
    case .simple, .dropsToServer, .rebinding: break
    case .longRoundTrip: direction.oneWayDelayMilliseconds = 750
    case .loss(let rate): direction.loss = .bernoulli(rate: rate, longestBurst: Self.longestBurst)
    case .corruption(let rate):
      direction.corruptionRate = rate
      direction.corruptionLongestBurst = Self.longestBurst
    case .blackhole: direction.outages = [Outage(startMilliseconds: 5_000, durationMilliseconds: 2_000)]
    }
    var link = LinkConditions(bothWays: direction)
    if case .dropsToServer(let numbers) = self { link.toServer.droppedUDPPackets = numbers }
    if case .rebinding(let changesAddress) = self {
      link.rebinding = Rebinding(firstMilliseconds: 1_000, everyMilliseconds: 5_000, changesAddress: changesAddress)
    }
    return link
  }
}
