import LatencyReport
import LinkModel

extension Presets {
  /// The networks of the QUIC interop runner's cases; the streams are ours.
  static let interoperation = [
    Scenario(
      "longrtt", about: "A round trip of 1.5 s: every round trip that a protocol wants shows.",
      source: "\(runner), case longrtt: 750 ms one way, 10 Mbit/s, 25 packets of queue.",
      link: interop { $0.oneWayDelayMilliseconds = 750 }, arms: coldArms, headline: .firstEventCold),
    Scenario(
      "handshake-loss",
      about: "30 % of packets are lost: how long a connection takes. One short stream; look at the time to connect.",
      source: "\(runner), case handshakeloss: 30 % each way, at most 3 in a row; there of UDP packets, here of all.",
      link: interop { $0.loss = .bernoulli(rate: 0.3, longestBurst: 3) },
      workload: .steady(streams: 1, tokensPerSecond: 20, seconds: 2), arms: coldArms, repetitions: 20,
      headline: .firstEventCold),
    Scenario(
      "transfer-loss", about: "A download of 2 MB with 2 % loss: throughput, not latency.",
      source: "\(runner), case transferloss: 2 % each way, at most 3 in a row; there of UDP packets, here of all.",
      link: interop { $0.loss = .bernoulli(rate: 0.02, longestBurst: 3) },
      workload: {
        var workload = Workload.steady(streams: 1, tokensPerSecond: 1, seconds: 5)
        workload.downloadBytes = 2_000_000
        return workload
      }()),
    Scenario(
      "download",
      about: """
        A download of 1 MB at 10 Mbit/s and 50 ms round trip, without loss: what a grid of losses and delays starts \
        from. Throughput, not latency; where congestion control decides, so TCP has BBR beside CUBIC.
        """,
      source: "arXiv 2409.16267 (WUSTL): 10 Mbit/s, loss 0 to 12 %, 0 to 50 ms one way. The size and a queue of 150 kB "
        + "are ours.",
      link: LinkConditions(bothWays: direction(25, rate: 10e6, queueBytes: 150_000, loss: nil)),
      workload: {
        var workload = Workload.steady(streams: 1, tokensPerSecond: 1, seconds: 5)
        workload.downloadBytes = 1_000_000
        return workload
      }(), arms: ["h3", "h2", "h2-bbr"]),
    Scenario(
      "corrupt",
      about:
        "2 % of packets arrive with a changed byte and a checksum that fits: only the protocol can notice. TCP has "
        + "no other check, so TLS has to end the connection; real damage seldom passes TCP's checksum.",
      source: "\(runner), case transfercorruption: 2 % each way, one of the first 50 bytes of the payload.",
      link: interop { $0.corruptionRate = 0.02 }),
    Scenario(
      "blackhole", about: "Nothing passes for 2 s, 5 s after the first packet. Runs for 10 s, so that it falls within.",
      source: "\(runner), case blackhole: 5 s on, 2 s off, once.",
      link: interop { $0.outages = [Outage(startMilliseconds: 5_000, durationMilliseconds: 2_000)] },
      workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 10)),
    Scenario(
      "rebind-port",
      about: "A NAT takes another source port after 1 s and then every 5 s. Runs for 12 s, to have three.",
      source: "\(runner), case rebind-port.", link: rebinding(changesAddress: false),
      workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 12)),
    Scenario(
      "rebind-addr", about: "As rebind-port, but the client's public address changes too.",
      source: "\(runner), case rebind-addr.", link: rebinding(changesAddress: true),
      workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 12)),
    Scenario(
      "droplist",
      about: "The client's UDP packets 2 to 7 are lost, so a QUIC handshake stands still early on; TCP is not touched.",
      source: "\(runner), case amplificationlimit: client packets 2 to 7 dropped.",
      link: {
        var link = interopLink
        link.toServer.droppedUDPPackets = Array(2...7)
        return link
      }()),
  ]

  private static let runner = "quic-interop-runner"

  /// The arms of cells in which the first event counts: AsyncHTTPClient's HTTP/2 waits a round trip more than the
  /// protocol does.
  static let coldArms = ["h3", "h1", "curl-h3", "curl-h2"]

  private static func interop(_ change: (inout DirectionConditions) -> Void) -> LinkConditions {
    var conditions = interopDirection
    change(&conditions)
    return LinkConditions(bothWays: conditions)
  }

  private static func rebinding(changesAddress: Bool) -> LinkConditions {
    var link = interopLink
    link.rebinding = Rebinding(firstMilliseconds: 1_000, everyMilliseconds: 5_000, changesAddress: changesAddress)
    return link
  }
}
