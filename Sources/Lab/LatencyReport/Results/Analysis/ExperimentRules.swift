import LinkModel

/// By what runs are judged and discarded; fixed before the first run and printed in the report.
package struct ExperimentRules: Codable, Hashable, Sendable {
  /// A run whose server was later than this at the median is discarded: the machine was busy. Not at a tail: while a
  /// connection stalls its server cannot write, and such runs are what is to be measured.
  package var serverLatenessBoundMilliseconds: Double
  /// The same for the emulated link itself: packets that left it later than they were due.
  package var linkLatenessBoundMilliseconds: Double
  /// Fewer pairs than this give no finding.
  package var minimumPairs: Int
  package var resamples: Int
  /// The verdict's metric; nil: chosen by the scenario, see `headline(of:)`.
  package var headlineMetric: Metric?
  /// The two arms of the verdict; nil: HTTP/3 against HTTP/2, or what comes nearest.
  package var headlineArm: String?
  package var headlineBaseline: String?

  package init(
    serverLatenessBoundMilliseconds: Double = 5, linkLatenessBoundMilliseconds: Double = 10, minimumPairs: Int = 5,
    resamples: Int = 4000, headlineMetric: Metric? = nil, headlineArm: String? = nil, headlineBaseline: String? = nil
  ) {
    self.serverLatenessBoundMilliseconds = serverLatenessBoundMilliseconds
    self.linkLatenessBoundMilliseconds = linkLatenessBoundMilliseconds
    self.minimumPairs = minimumPairs
    self.resamples = resamples
    self.headlineMetric = headlineMetric
    self.headlineArm = headlineArm
    self.headlineBaseline = headlineBaseline
  }

  /// The metric that the verdict is about: it depends on the scenario alone, never on what was measured.
  package func headline(of scenario: ScenarioSummary) -> Metric {
    if let headlineMetric { return headlineMetric }
    if scenario.downloadBytes != nil { return .downloadTime }
    let link = scenario.link
    if link.toClient.blocksUDP == true || link.toServer.blocksUDP == true { return .firstEventCold }
    if !(link.toClient.outages ?? []).isEmpty || link.rebinding != nil { return .reconnectGap }
    return .excessP95
  }

  static let nothingCame = "nothing came"

  /// Why a run is thrown away, in the words of the rule; nil: it is kept.
  func reasonToDiscard(_ measurement: RunMeasurement, of record: RunRecord) -> String? {
    let client = record.client
    if record.repetition < 0 { return "warm-up: an arm's first run is always discarded" }
    if !client.openings.contains(where: { $0.firstEvent != nil }),
      !client.events.contains(where: { $0.received != nil })
    {
      return Self.nothingCame + (client.failure.map { ": \($0)" } ?? "")
    }
    if let lateness = measurement.serverLatenessMedianMilliseconds, lateness > serverLatenessBoundMilliseconds {
      return "the server wrote \(Metric.number(lateness)) ms late at the median; "
        + "the bound is \(Metric.number(serverLatenessBoundMilliseconds)) ms"
    }
    if let lateness = measurement.linkLatenessP99Milliseconds, lateness > linkLatenessBoundMilliseconds {
      return "the emulated link was \(Metric.number(lateness)) ms late at p99; "
        + "the bound is \(Metric.number(linkLatenessBoundMilliseconds)) ms"
    }
    return nil
  }

  /// The rules in words.
  var sentence: String {
    "Rules stated in advance: an arm's first run is warm-up; a run is discarded if nothing came in it, if the server "
      + "wrote more than \(Metric.number(serverLatenessBoundMilliseconds)) ms late at the median, or if the emulated link was "
      + "more than \(Metric.number(linkLatenessBoundMilliseconds)) ms late at p99. A run that failed midway is kept, "
      + "its missing events counted."
  }
}
