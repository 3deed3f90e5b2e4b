import LinkModel

/// The rules by which runs are judged and discarded, printed in the report.
package struct ExperimentRules: Codable, Hashable, Sendable {
  package enum Stated: String, Codable, CaseIterable, Hashable, Sendable { case beforeRuns, afterRuns }

  /// Whether the rules are those of the runs' own time, or later ones by which older runs are judged anew.
  package var stated: Stated
  /// A run whose server was later than this at the median is discarded: the machine was busy. Not at a tail: while a
  /// connection stalls its server cannot write, and such runs are what is to be measured.
  package var serverLatenessBoundMilliseconds: Double
  /// The disturbance beyond which a run is discarded; nil: none is, and the report says so.
  package var disturbance: DisturbanceBounds?
  /// Arms that differ by less than this are called equivalent where the runs show it; nil: no bound was declared.
  package var equivalenceMilliseconds: Double?
  /// The verdict's metric; nil: chosen by the scenario, see `headline(of:)`.
  package var headlineMetric: Metric?
  /// The two arms of the verdict; nil: HTTP/3 against HTTP/2, or what comes nearest.
  package var headlineArm: String?
  package var headlineBaseline: String?

  package init(
    stated: Stated = .beforeRuns, serverLatenessBoundMilliseconds: Double = 5,
    disturbance: DisturbanceBounds? = DisturbanceBounds(), equivalenceMilliseconds: Double? = 2,
    headlineMetric: Metric? = nil, headlineArm: String? = nil, headlineBaseline: String? = nil
  ) {
    self.stated = stated
    self.serverLatenessBoundMilliseconds = serverLatenessBoundMilliseconds
    self.disturbance = disturbance
    self.equivalenceMilliseconds = equivalenceMilliseconds
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

  /// The rules in words, and when they were stated.
  var sentence: String {
    (stated == .beforeRuns ? "Rules stated before the runs" : "Rules of a later version, stated after these runs")
      + ": an arm's first run is warm-up; a run is discarded if nothing came in it, or if the server "
      + "wrote more than \(Metric.number(serverLatenessBoundMilliseconds)) ms late at the median"
      + (disturbance.map { "; " + $0.sentence } ?? "; runs that a busy machine disturbed are kept, as was asked")
      + ". A run that failed midway is kept, its missing events counted."
  }
}
