import LinkModel

extension Presets {
  /// Links on which no protocol should be better.
  static let quiet = [
    Scenario(
      "lan", about: "A local network without a limit: the control, on which nothing but the programs takes time.",
      source: "\(ours): 0.2 ms one way, as between two machines on one switch.",
      link: LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 0.2))),
    Scenario(
      "interop", about: "The network on which QUIC implementations are tested against each other; nothing is lost.",
      source: "Default scenario (simple-p2p) of quic-interop-runner: 15 ms one way, 10 Mbit/s, 25 packets of queue.",
      link: interopLink),
    Scenario(
      "fiber", about: "A good fixed line at home: 20 ms round trip, hardly any loss.",
      source: "\(ours): 100 Mbit/s with a queue of one bandwidth-delay product (250 kB), 10 ms one way, 0.01 % loss.",
      link: LinkConditions(
        bothWays: direction(10, rate: 100e6, queueBytes: 250_000, loss: .bernoulli(rate: 0.0001, longestBurst: nil)))),
  ]

  static let interopLink = LinkConditions(bothWays: interopDirection)

  static var interopDirection: DirectionConditions {
    var conditions = DirectionConditions(oneWayDelayMilliseconds: 15)
    conditions.rateBitsPerSecond = 10e6
    conditions.queuePackets = 25
    return conditions
  }

  /// One direction with what most presets have.
  static func direction(
    _ oneWayDelayMilliseconds: Double, rate: Double? = nil, queueBytes: Int? = nil, loss: Loss? = nil
  ) -> DirectionConditions {
    var conditions = DirectionConditions(oneWayDelayMilliseconds: oneWayDelayMilliseconds)
    conditions.rateBitsPerSecond = rate
    conditions.queueBytes = queueBytes
    conditions.loss = loss
    return conditions
  }

  /// 10 Mbit/s, 150 kB of queue, 50 ms round trip: the link of the headline table.
  static func headline(_ loss: Loss?) -> LinkConditions {
    LinkConditions(bothWays: direction(25, rate: 10e6, queueBytes: 150_000, loss: loss))
  }
}
