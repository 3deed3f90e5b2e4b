/// The latency that the link itself may have added to the runs of two arms, in milliseconds.
///
/// It is what was measured in these very runs, the largest lateness at p99 of any of them, and at least 1 ms; a calibration
/// stands in where a run has no packet log.
struct NoiseFloor {
  static let leastMilliseconds = 1.0

  let milliseconds: Double

  init(_ runs: some Sequence<RunMetrics>, provenance: Provenance) {
    guard !provenance.isSimulated else {
      milliseconds = 0
      return
    }
    let measured = runs.map { $0.values[.linkLatenessP99] ?? provenance.noiseFloorMilliseconds }
    milliseconds = max(Self.leastMilliseconds, measured.max() ?? provenance.noiseFloorMilliseconds)
  }

  /// The floor in the metric's unit.
  func amount(_ metric: Metric, roundTripMilliseconds: Double) -> Double {
    metric.amount(ofMilliseconds: milliseconds, roundTripMilliseconds: roundTripMilliseconds)
  }
}
