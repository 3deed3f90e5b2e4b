import LinkModel

/// All that is taken from one run: its metrics, and what is pooled with the arm's other runs.
package struct RunMeasurement {
  package let metrics: RunMetrics
  let excess: ExcessHistogram
  let toClient: LossCount
  let toServer: LossCount
  /// Written - scheduled, median.
  let serverLatenessMedianMilliseconds: Double?

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
      values.measureReading(run)
      // A download beside the streams fills the packet log, and nothing in it distinguishes their packets.
      if scenario.crossTraffic != true {
        attributed = values.measureBlocking(run)
        values.measureCost(run, toClient: toClient, toServer: toServer)
      }
      values.measureBreaks(run)
      serverLateness = values.measureServerLateness(run)
      if let tool = record.toolSequence { values.measureTool(run, sequence: tool) }
    }
    self.excess = excess
    serverLatenessMedianMilliseconds = serverLateness
    let lateness = packets.compactMap { packet in
      packet.verdict == .delivered
        ? packet.due.flatMap { due in packet.left.map { RunTimes.milliseconds(from: due, to: $0) } } : nil
    }
    values[.linkLatenessP99] = Quantile.nearestRank(0.99, sorted: lateness.sorted())
    metrics = RunMetrics(
      repetition: record.repetition, seed: record.seed, values: values.values, events: record.client.events.count,
      failure: record.client.failure, rawMinimumExcess: excess.rawMinimumMilliseconds, attributedEvents: attributed,
      load: record.load)
  }
}
