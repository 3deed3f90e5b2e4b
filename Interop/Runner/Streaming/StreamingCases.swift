import LinkModel

/// The table of cases.
///
/// The link is the public runner's: 15 ms each way, 10 Mbit/s, a queue of 25 packets. The client's back-off is its
/// standard one, at least 1 s and at most 2 s after a first failure, which the limits of lateness contain.
enum StreamingCases {
  static let all: [StreamingCase] =
    quiet + [
      StreamingCase(
        name: "sse-blackhole-resume", letter: "eB", summary: "nothing passes for 3 s", link: link(),
        workload: StreamingWorkload(events: 300, everyMilliseconds: 20),
        incidents: [StreamingIncident(atMilliseconds: 1_500, action: .silence(milliseconds: 3_000))],
        // The silence; a probe's time-out that doubled meanwhile, or the back-off and a handshake.
        rule: StreamingRule(latestMilliseconds: 8_000, lastTransport: nil, reconnects: 0...2)),
      StreamingCase(
        name: "sse-rebind", letter: "eP", summary: "the NAT gives the client another port, three times",
        link: link(rebinding: rebinding(changesAddress: false)),
        workload: StreamingWorkload(events: 300, everyMilliseconds: 20),
        // Only the client's PING after a second of silence shows the server the new port.
        rule: StreamingRule(latestMilliseconds: 4_000, reconnects: 0...3)),
      StreamingCase(
        name: "sse-rebind-addr", letter: "eA",
        summary: "the NAT gives the client another address and port, three times",
        link: link(rebinding: rebinding(changesAddress: true)),
        workload: StreamingWorkload(events: 300, everyMilliseconds: 20),
        rule: StreamingRule(latestMilliseconds: 4_000, reconnects: 0...3)),
      StreamingCase(
        name: "sse-migrate", letter: "eM", summary: "the client's address goes, another one is there", link: link(),
        workload: StreamingWorkload(events: 250, everyMilliseconds: 20),
        incidents: [StreamingIncident(atMilliseconds: 2_000, action: .moveClient)],
        rule: StreamingRule(latestMilliseconds: 4_000, reconnects: 0...1, migrates: true)),
      StreamingCase(
        name: "sse-goaway", letter: "eG", summary: "the server ends gracefully, a new one takes its place",
        link: link(), workload: StreamingWorkload(events: 400, everyMilliseconds: 20),
        incidents: [StreamingIncident(atMilliseconds: 2_000, action: .replaceServer)],
        rule: StreamingRule(latestMilliseconds: 8_000, lastTransport: nil, reconnects: 1...4)),
      StreamingCase(
        name: "sse-0rtt-reconnect", letter: "e0",
        summary: "the client closes and comes back with early data and its cursor",
        link: link(), workload: StreamingWorkload(events: 250, everyMilliseconds: 20),
        rule: StreamingRule(
          latestMilliseconds: 3_500, reconnects: 1...1, resumption: ["earlyDataAccepted"]), needs: "zerortt"),
      StreamingCase(
        name: "sse-udp-blocked-fallback", letter: "eU", summary: "no UDP from the start", link: link(blocksUDP: true),
        workload: StreamingWorkload(events: 150, everyMilliseconds: 20),
        // 250 ms of head start, TCP's and TLS's round trips, one for the request.
        rule: StreamingRule(
          latestMilliseconds: 500, medianRoundTrips: 1.5, firstTransport: "h1", lastTransport: "h1",
          opensWithinMilliseconds: 1_000)),
      StreamingCase(
        name: "sse-udp-dies-midstream", letter: "eD", summary: "UDP passes no more", link: link(),
        workload: StreamingWorkload(events: 400, everyMilliseconds: 20),
        incidents: [StreamingIncident(atMilliseconds: 2_000, action: .loseUDP)],
        // 3 s until the path counts as dead, the back-off, and a handshake.
        rule: StreamingRule(latestMilliseconds: 6_000, lastTransport: "h1", reconnects: 1...2)),
      StreamingCase(
        name: "sse-idle-thinking", letter: "eI", summary: "12 s without an event", link: link(),
        workload: StreamingWorkload(
          events: 100, everyMilliseconds: 20, silence: .init(before: 50, milliseconds: 12_000)),
        rule: StreamingRule(latestMilliseconds: 2_000, medianRoundTrips: 1.5, reconnects: 0...2)),
      StreamingCase(
        name: "sse-reset-midstream", letter: "eR", summary: "the origin breaks the response off", link: link(),
        workload: StreamingWorkload(events: 250, everyMilliseconds: 20, abortsAfter: 100),
        rule: StreamingRule(latestMilliseconds: 3_500, reconnects: 1...1)),
      StreamingCase(
        name: "sse-slow-reader", letter: "eS", summary: "24 MB, of which the client reads 20 kB/s for 6 s",
        link: link(megabits: 100, queuePackets: 250),
        workload: StreamingWorkload(events: 8_000, everyMilliseconds: 0.25, eventBytes: 3_000),
        // 6 s of slowness, then 24 MB in what the link and two busy processors give.
        rule: StreamingRule(latestMilliseconds: 40_000, residentGrowthBytes: 16 << 20)),
      StreamingCase(
        name: "sse-server-restart", letter: "eK", summary: "the server is killed and started again", link: link(),
        workload: StreamingWorkload(events: 400, everyMilliseconds: 20),
        incidents: [StreamingIncident(atMilliseconds: 2_000, action: .killServer)],
        rule: StreamingRule(
          latestMilliseconds: 8_000, lastTransport: nil, reconnects: 1...4, resumption: ["resumed", "earlyDataRefused"])
      ),
    ]

  /// The cases in which nothing happens to the connection.
  private static let quiet: [StreamingCase] = [
    StreamingCase(
      name: "sse-steady", letter: "eE", summary: "an event every 20 ms", link: link(),
      workload: StreamingWorkload(events: 250, everyMilliseconds: 20),
      rule: StreamingRule(latestMilliseconds: 500, medianRoundTrips: 1)),
    StreamingCase(
      name: "sse-burst", letter: "eT", summary: "200 events at once, every 500 ms", link: link(),
      workload: StreamingWorkload(events: 2_000, everyMilliseconds: 500, burst: 200),
      // 40 kB take 32 ms at the link's rate, and several rounds from a small window; a server in Python sends each event
      // in a packet of its own.
      rule: StreamingRule(latestMilliseconds: 1_500, medianRoundTrips: 10)),
    StreamingCase(
      name: "sse-8streams-loss", letter: "e8", summary: "8 streams, 2 % loss each way", link: link(loss: 0.02),
      workload: StreamingWorkload(streams: 8, events: 200, everyMilliseconds: 25),
      rule: StreamingRule(latestMilliseconds: 3_000, medianRoundTrips: 1.5)),
  ]

  private static func link(
    megabits: Double = 10, queuePackets: Int = 25, loss: Double? = nil, blocksUDP: Bool = false,
    rebinding: Rebinding? = nil
  ) -> LinkConditions {
    var direction = DirectionConditions(oneWayDelayMilliseconds: 15)
    direction.rateBitsPerSecond = megabits * 1e6
    direction.queuePackets = queuePackets
    direction.loss = loss.map { .bernoulli(rate: $0, longestBurst: nil) }
    direction.blocksUDP = blocksUDP ? true : nil
    return LinkConditions(bothWays: direction, rebinding: rebinding)
  }

  /// Counted from the link's first packet, which is the client's first.
  private static func rebinding(changesAddress: Bool) -> Rebinding {
    Rebinding(
      firstMilliseconds: StreamingCase.leadMilliseconds + 1_500, everyMilliseconds: 2_000,
      changesAddress: changesAddress)
  }
}
