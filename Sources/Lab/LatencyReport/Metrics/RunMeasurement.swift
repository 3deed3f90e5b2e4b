import LinkModel

/// All that is taken from one run: its metrics, and what is pooled with the arm's other runs.
package struct RunMeasurement {
  package let metrics: RunMetrics
  let excess: ExcessHistogram
  let toClient: LossCount
  let toServer: LossCount
  /// Written - scheduled, median.
  let serverLatenessMedianMilliseconds: Double?
  /// Left - due of the delivered packets: how late the emulated link was itself, 99th percentile.
  let linkLatenessP99Milliseconds: Double?

  package init(_ record: RunRecord, scenario: ScenarioSummary) {
    let run = RunTimes(record, scenario: scenario)
    let packets = run.packets
    toClient = LossCount(packets, direction: .toClient)
    toServer = LossCount(packets, direction: .toServer)
    var values = MetricValues()
    values.measureOpenings(run)
    values[.realisedLossToClient] = toClient.lossPercent
    values[.realisedLossToServer] = toServer.lossPercent
    var excess = ExcessHistogram()
    var attributed: Int?
    var serverLateness: Double?
    if let bytes = scenario.downloadBytes {
      values.measureDownload(run, bytes: bytes)
    } else {
      excess = values.measureExcess(run)
      values.measureGaps(run)
      values.measureStalls(run)
      // A download beside the streams fills the packet log, and nothing in it distinguishes their packets.
      if scenario.crossTraffic != true {
        attributed = values.measureBlocking(run)
        values.measureCost(run, toClient: toClient, toServer: toServer)
      }
      values.measureBreaks(run)
      serverLateness = values.measureServerLateness(run)
      if let tool = scenario.toolSequence { values.measureTool(run, sequence: tool) }
    }
    self.excess = excess
    serverLatenessMedianMilliseconds = serverLateness
    let lateness = packets.compactMap { packet in
      packet.verdict == .delivered
        ? packet.due.flatMap { due in packet.left.map { RunTimes.milliseconds(from: due, to: $0) } } : nil
    }
    linkLatenessP99Milliseconds = Quantile.nearestRank(0.99, sorted: lateness.sorted())
    values[.linkLatenessP99] = linkLatenessP99Milliseconds
    metrics = RunMetrics(
      repetition: record.repetition, values: values.values, events: record.client.events.count,
      failure: record.client.failure, rawMinimumExcess: excess.rawMinimumMilliseconds, attributedEvents: attributed)
  }
}
