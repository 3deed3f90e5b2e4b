import LinkModel

/// By what runs are judged and discarded; fixed before the first run and printed in the report.
package struct ExperimentRules: Codable, Hashable, Sendable {
  /// A run whose server was later than this at the median is discarded: the machine was busy. Not at a tail: while a
  /// connection stalls its server cannot write, and such runs are what is to be measured.
  package var serverLatenessBoundMilliseconds: Double
  /// The disturbance beyond which a run is discarded; nil: none is, and the report says so.
  package var disturbance: DisturbanceBounds?
  /// Fewer pairs than this give no finding; never fewer than an interval needs.
  package var minimumPairs: Int { max(MedianTest.fewestValues, declaredMinimumPairs) }
  private var declaredMinimumPairs: Int
  /// Arms that differ by less than this are called equivalent where the runs show it; nil: no bound was declared.
  package var equivalenceMilliseconds: Double?
  /// The verdict's metric; nil: chosen by the scenario, see `headline(of:)`.
  package var headlineMetric: Metric?
  /// The two arms of the verdict; nil: HTTP/3 against HTTP/2, or what comes nearest.
  package var headlineArm: String?
  package var headlineBaseline: String?

  package init(
    serverLatenessBoundMilliseconds: Double = 5, disturbance: DisturbanceBounds? = DisturbanceBounds(),
    minimumPairs: Int = MedianTest.fewestValues, equivalenceMilliseconds: Double? = 2, headlineMetric: Metric? = nil,
    headlineArm: String? = nil, headlineBaseline: String? = nil
  ) {
    self.serverLatenessBoundMilliseconds = serverLatenessBoundMilliseconds
    self.disturbance = disturbance
    declaredMinimumPairs = minimumPairs
    self.equivalenceMilliseconds = equivalenceMilliseconds
    self.headlineMetric = headlineMetric
    self.headlineArm = headlineArm
    self.headlineBaseline = headlineBaseline
  }

  private enum CodingKeys: String, CodingKey {
    case serverLatenessBoundMilliseconds, disturbance, declaredMinimumPairs = "minimumPairs", equivalenceMilliseconds,
      headlineMetric, headlineArm, headlineBaseline
    /// Of files that are older than `disturbance`, which says whether a file is.
    case linkLatenessBoundMilliseconds
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // An older file is judged by today's rules about disturbed runs, and declared no bound of equivalence.
    let isOlder = container.contains(.linkLatenessBoundMilliseconds)
    self.init(
      serverLatenessBoundMilliseconds: try container.decode(Double.self, forKey: .serverLatenessBoundMilliseconds),
      disturbance: isOlder
        ? DisturbanceBounds() : try container.decodeIfPresent(DisturbanceBounds.self, forKey: .disturbance),
      minimumPairs: try container.decode(Int.self, forKey: .declaredMinimumPairs),
      equivalenceMilliseconds: try container.decodeIfPresent(Double.self, forKey: .equivalenceMilliseconds),
      headlineMetric: try container.decodeIfPresent(Metric.self, forKey: .headlineMetric),
      headlineArm: try container.decodeIfPresent(String.self, forKey: .headlineArm),
      headlineBaseline: try container.decodeIfPresent(String.self, forKey: .headlineBaseline))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(serverLatenessBoundMilliseconds, forKey: .serverLatenessBoundMilliseconds)
    try container.encodeIfPresent(disturbance, forKey: .disturbance)
    try container.encode(declaredMinimumPairs, forKey: .declaredMinimumPairs)
    try container.encodeIfPresent(equivalenceMilliseconds, forKey: .equivalenceMilliseconds)
    try container.encodeIfPresent(headlineMetric, forKey: .headlineMetric)
    try container.encodeIfPresent(headlineArm, forKey: .headlineArm)
    try container.encodeIfPresent(headlineBaseline, forKey: .headlineBaseline)
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

  /// The reason for which a run is discarded; nil: it is kept.
  func discards(_ measurement: RunMeasurement, of record: RunRecord) -> DiscardedRun? {
    func discarded(_ reason: DiscardedRun.Reason, _ rule: String) -> DiscardedRun {
      DiscardedRun(arm: record.arm, repetition: record.repetition, reason: reason, rule: rule)
    }
    let client = record.client
    if record.repetition < 0 { return discarded(.warmUp, "warm-up: an arm's first run is always discarded") }
    if !client.openings.contains(where: { $0.firstEvent != nil }),
      !client.events.contains(where: { $0.received != nil })
    {
      return discarded(.nothingCame, "nothing came" + (client.failure.map { ": \($0)" } ?? ""))
    }
    if let lateness = measurement.serverLatenessMedianMilliseconds, lateness > serverLatenessBoundMilliseconds {
      return discarded(
        .serverLate,
        "the server wrote \(Metric.number(lateness)) ms late at the median; "
          + "the bound is \(Metric.number(serverLatenessBoundMilliseconds)) ms")
    }
    return disturbance?.discards(measurement.metrics, of: record.arm)
  }

  /// The rules in words.
  var sentence: String {
    "Rules stated in advance: an arm's first run is warm-up; a run is discarded if nothing came in it, or if the server "
      + "wrote more than \(Metric.number(serverLatenessBoundMilliseconds)) ms late at the median"
      + (disturbance.map { "; " + $0.sentence } ?? "; runs that a busy machine disturbed are kept, as was asked")
      + ". A run that failed midway is kept, its missing events counted."
  }
}
