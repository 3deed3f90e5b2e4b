import LinkModel

extension Presets {
  /// Delay that comes from a queue.
  static let queueing = [
    Scenario(
      "bufferbloat",
      about: """
        A download fills a queue of 500 ms beside the streams; nothing is lost but what finds no room in it. Runs for \
        10 s, since the queue takes a while to fill.
        """,
      source: "\(ours): 10 Mbit/s, 625 kB of queue, 25 ms one way, one CUBIC download.",
      link: LinkConditions(bothWays: direction(25, rate: 10e6, queueBytes: 625_000)),
      workload: {
        var workload = Workload.steady(streams: 8, tokensPerSecond: 50, seconds: 10)
        workload.crossTraffic = true
        return workload
      }())
  ]
}
