/// The disturbance by the machine beyond which a run is discarded; each is measured in the run itself.
package struct DisturbanceBounds: Codable, Hashable, Sendable {
  /// The lateness of packets that the emulated link delivered after they were due, at p99.
  package var linkLatenessMilliseconds: Double
  /// Processor time that a hypervisor gave to others.
  package var stealPercent: Double
  /// Time in which some task waited for a processor.
  package var pressurePercent: Double

  package init(linkLatenessMilliseconds: Double = 2, stealPercent: Double = 1, pressurePercent: Double = 25) {
    self.linkLatenessMilliseconds = linkLatenessMilliseconds
    self.stealPercent = stealPercent
    self.pressurePercent = pressurePercent
  }

  func discards(_ run: RunMetrics, of arm: String) -> DiscardedRun? {
    func discarded(_ reason: DiscardedRun.Reason, _ rule: String) -> DiscardedRun {
      DiscardedRun(arm: arm, repetition: run.repetition, reason: reason, rule: rule)
    }
    if let lateness = run.values[.linkLatenessP99], lateness > linkLatenessMilliseconds {
      return discarded(
        .linkLate,
        "the emulated link was \(Metric.number(lateness)) ms late at p99; the bound is "
          + "\(Metric.number(linkLatenessMilliseconds)) ms")
    }
    if let steal = run.load?.stealPercent, steal > stealPercent {
      return discarded(
        .steal,
        "a hypervisor took \(Metric.number(steal)) % of the processors' time; the bound is "
          + "\(Metric.number(stealPercent)) %")
    }
    if let pressure = run.load?.pressurePercent, pressure > pressurePercent {
      return discarded(
        .pressure,
        "tasks waited for a processor in \(Metric.number(pressure)) % of the time; the bound is "
          + "\(Metric.number(pressurePercent)) %")
    }
    return nil
  }

  /// The bounds in words.
  var sentence: String {
    "and for what its own measurements say: an emulated link more than \(Metric.number(linkLatenessMilliseconds)) ms late "
      + "at p99, more than \(Metric.number(stealPercent)) % of processor time taken by a hypervisor, or tasks that waited "
      + "for a processor in more than \(Metric.number(pressurePercent)) % of the time"
  }
}
