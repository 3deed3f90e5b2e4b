import LinkModel

extension Scenario {
  /// The client's plan for every run of the scenario.
  ///
  /// - Parameters:
  ///   - origin: as `https://198.18.1.100:4433`.
  ///   - authorityFile: PEM file of the authority that signed the server's certificate.
  ///   - seed: the experiment's; the same schedule for every arm.
  func plan(origin: String, authorityFile: String, seed: UInt64) throws(WorkloadError) -> ClientPlan {
    let roundTrip = link.roundTripMilliseconds
    let schedule = try StreamSchedule(workload, seed: seed, roundTripMilliseconds: min(60_000, roundTrip))
    let length = Double(schedule.lengthNanoseconds) / 1e6
    return ClientPlan(
      origin: origin, authorityFile: authorityFile, schedule: schedule, leadMilliseconds: leadMilliseconds,
      deadlineMilliseconds: length + graceMilliseconds, downloadBytes: workload.downloadBytes,
      eventBytes: workload.eventBytes)
  }

  /// From the first request to the schedule's start: three round trips open a connection, its first stream and the
  /// others; the rest is for packets that are lost on the way.
  var leadMilliseconds: Double { min(60_000, 500 + 8 * link.roundTripMilliseconds) }

  /// From the last event to the deadline: time for what an outage at the end holds back, or for the download.
  private var graceMilliseconds: Double {
    let quiet = min(120_000, 15_000 + 20 * link.roundTripMilliseconds)
    guard let bytes = workload.downloadBytes else { return quiet }
    // At a tenth of the link's rate, or at 1 Mbit/s where it has none of its own.
    let rate = (link.toClient.rateBitsPerSecond ?? 10e6) / 10
    return min(3_600_000, quiet + Double(bytes) * 8 / rate * 1_000)
  }
}
