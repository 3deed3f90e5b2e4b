package import LinkModel

/// Measures the emulator with separate links. Its calls block for the duration of the measurement.
package struct Calibrator: Sendable {
  package var seed: LinkSeed
  /// Called before each part, with a description.
  package var progress: @Sendable (String) -> Void

  private static let delayMilliseconds = 25.0
  private static let lossProbes = 20_000
  private static let lossRate = 0.02
  /// Fast enough to be short, slow enough for every machine.
  private static let lossProbesPerSecond = 8_000

  package init(
    seed: LinkSeed = LinkSeed(scenario: 0, repetition: 0), progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.seed = seed
    self.progress = progress
  }

  /// Everything. Parts that fail are named in the result; throws only where no link can be made at all.
  ///
  /// - Parameter seconds: how long each rate and each connection is measured.
  package func calibrate(
    packetRates: [Int] = [50, 500, 5_000], seconds: Double = 5
  ) throws(EmulatorError) -> Calibration {
    var result = try delays(packetRates: packetRates, seconds: seconds)
    part("the realised loss", &result) { result throws(EmulatorError) in result.loss = try measureLoss() }
    part("TCP over an empty link", &result) { result throws(EmulatorError) in
      result.throughput = try measureThroughput(seconds)
    }
    part("TCP over a lossy link", &result) { result throws(EmulatorError) in
      result.lossyThroughput = try measureLossyThroughput(seconds * 2)
    }
    result.loadAfter = SystemFacts.loadAverages()
    return result
  }

  /// The added delay alone, which is what an experiment needs to know.
  package func delays(packetRates: [Int], seconds: Double) throws(EmulatorError) -> Calibration {
    var result = Calibration(configuredDelayMilliseconds: Self.delayMilliseconds)
    result.loadBefore = SystemFacts.loadAverages()
    for packetsPerSecond in packetRates { try measureDelay(packetsPerSecond, seconds, &result) }
    result.loadAfter = SystemFacts.loadAverages()
    return result
  }

  private func part(
    _ name: String, _ result: inout Calibration, _ body: (inout Calibration) throws(EmulatorError) -> Void
  ) {
    progress("Measuring \(name).")
    do throws(EmulatorError) { try body(&result) } catch { result.notMeasured.append("\(name): \(error)") }
  }

  private func measureDelay(
    _ packetsPerSecond: Int, _ seconds: Double, _ result: inout Calibration
  ) throws(EmulatorError) {
    progress("Measuring the added delay at \(packetsPerSecond) packets/s.")
    let count = max(Int(Double(packetsPerSecond) * seconds), 1)
    let direction = DirectionConditions(oneWayDelayMilliseconds: Self.delayMilliseconds)
    let (probe, log) = try measure(direction) { link throws(EmulatorError) in
      try DelayProbe.run(over: link, packetsPerSecond: packetsPerSecond, count: count)
    }
    let configured = Int64(Self.delayMilliseconds * 1e6)
    result.rates.append(
      Calibration.Rate(
        packetsPerSecond: packetsPerSecond, sent: probe.sent,
        added: DelayDistribution(nanoseconds: probe.delays.map { $0 - configured }), lateness: log.lateness))
    result.isRealtime = log.isRealtime
    result.isMemoryLocked = log.isMemoryLocked
  }

  private func measureLoss() throws(EmulatorError) -> Calibration.Loss {
    var direction = DirectionConditions(oneWayDelayMilliseconds: 1)
    direction.loss = .bernoulli(rate: Self.lossRate, longestBurst: nil)
    let (_, log) = try measure(direction) { link throws(EmulatorError) in
      try DelayProbe.run(over: link, packetsPerSecond: Self.lossProbesPerSecond, count: Self.lossProbes)
    }
    let probes = log.entries.filter { $0.transport == .udp && $0.direction == .toServer }
    let interval = BinomialCounts.counts(trials: probes.count, probability: Self.lossRate, confidence: 0.99)
    return Calibration.Loss(
      configuredRate: Self.lossRate, packets: probes.count, dropped: probes.count { $0.cause == .loss },
      lowest: interval.lowerBound, highest: interval.upperBound)
  }

  private func measureThroughput(_ seconds: Double) throws(EmulatorError) -> Calibration.Throughput {
    let direction = DirectionConditions(oneWayDelayMilliseconds: 0)
    let (probe, _) = try measure(direction, congestionControl: "cubic", logLimit: 0) { link throws(EmulatorError) in
      try TCPProbe.run(over: link, seconds: seconds)
    }
    return Calibration.Throughput(bitsPerSecond: probe.bitsPerSecond, congestionControl: probe.congestionControl)
  }

  private func measureLossyThroughput(_ seconds: Double) throws(EmulatorError) -> Calibration.LossyThroughput {
    let rate = 0.01
    let roundTrip = 2 * Self.delayMilliseconds
    var direction = DirectionConditions(oneWayDelayMilliseconds: Self.delayMilliseconds)
    direction.loss = .bernoulli(rate: rate, longestBurst: nil)
    let (probe, _) = try measure(direction, congestionControl: "cubic") { link throws(EmulatorError) in
      try TCPProbe.run(over: link, seconds: seconds)
    }
    return Calibration.LossyThroughput(
      lossRate: rate, roundTripMilliseconds: roundTrip, measuredBitsPerSecond: probe.bitsPerSecond,
      expectedBitsPerSecond: Calibration.LossyThroughput.expected(lossRate: rate, roundTripMilliseconds: roundTrip),
      congestionControl: probe.congestionControl)
  }

  /// Both ways alike, for the time of `body`.
  private func measure<Value>(
    _ direction: DirectionConditions, congestionControl: String? = nil, logLimit: Int = 1_000_000,
    _ body: (EmulatedLink) throws(EmulatorError) -> Value
  ) throws(EmulatorError) -> (Value, PacketLog) {
    var options = EmulatedLink.Options()
    options.congestionControl = congestionControl
    options.hasIPv6 = false
    options.logLimit = logLimit
    let link = try EmulatedLink(conditions: LinkConditions(bothWays: direction), seed: seed, options: options)
    try link.start()
    let result = Result { () throws(EmulatorError) in try body(link) }
    let log = link.stop()
    return (try result.get(), log)
  }
}
