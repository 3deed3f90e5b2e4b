import LinkModel

extension Presets {
  /// Faults of real paths, one at a time, at 50 ms round trip.
  static let faults = [
    Scenario(
      "outage-3",
      about: """
        Nothing passes for 3 s, 5 s after the first packet: how long until events come again, and whether one is lost. \
        Runs for 12 s, so that the outage falls into the middle.
        """,
      source: "\(ours): 10 Mbit/s, 150 kB of queue, 25 ms one way.",
      link: faulty { $0.outages = [Outage(startMilliseconds: 5_000, durationMilliseconds: 3_000)] },
      workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 12)),
    Scenario(
      "udp-blocked", about: "A firewall drops all UDP: how long until a client that may fall back has its first event.",
      source: "\(ours), as on networks that let pass TCP alone: 25 ms one way.",
      link: LinkConditions(
        bothWays: {
          var conditions = direction(25)
          conditions.blocksUDP = true
          return conditions
        }()),
      arms: ["auto", "h3", "h1"]),
    Scenario(
      "udp-throttled", about: "UDP above 200 kbit/s is dropped, less than the streams need; TCP is not touched.",
      source: "\(ours), as where a provider polices UDP: 200 kbit/s, 25 ms one way.",
      link: LinkConditions(
        bothWays: {
          var conditions = direction(25)
          conditions.udpRateBitsPerSecond = 200e3
          return conditions
        }()),
      arms: ["auto", "h3", "h2", "h1"]),
    Scenario(
      "mtu-1280", about: "Packets above 1280 bytes vanish silently, as in a tunnel that filters ICMP.",
      source: "\(ours): the smallest MTU that IPv6 allows (RFC 8200 § 5), 25 ms one way.",
      link: LinkConditions(
        bothWays: {
          var conditions = direction(25)
          conditions.maximumPacketBytes = 1_280
          return conditions
        }())),
    Scenario(
      "reorder", about: "2 % of packets come 25 ms early, ahead of those before them, and may be taken for loss.",
      source: "\(ours), as netem's 'reorder': 10 Mbit/s, 150 kB of queue, 25 ms one way.",
      link: faulty { $0.earlyRate = 0.02 }),
  ]

  private static func faulty(_ change: (inout DirectionConditions) -> Void) -> LinkConditions {
    var conditions = direction(25, rate: 10e6, queueBytes: 150_000)
    change(&conditions)
    return LinkConditions(bothWays: conditions)
  }
}
