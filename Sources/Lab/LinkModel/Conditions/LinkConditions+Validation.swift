extension LinkConditions {
  /// Every field against its range, and fields against each other.
  package func validate() throws(LinkConditionsError) {
    try toClient.validate(at: "toClient")
    try toServer.validate(at: "toServer")
    if case .byToken? = toServer.loss {
      throw LinkConditionsError(
        field: "toServer.loss", value: "byToken", allowed: "another kind: tokens go toward the client")
    }
    try rebinding?.validate(at: "rebinding")
  }
}

extension DirectionConditions {
  func validate(at path: String) throws(LinkConditionsError) {
    try validateFilter(at: path)
    try loss?.validate(at: "\(path).loss")
    try ConditionRange.probability.check(corruptionRate, "\(path).corruptionRate")
    try ConditionRange.checkInteger(
      corruptionLongestBurst, 1...1_000_000, "\(path).corruptionLongestBurst", unit: "packets")
    try ConditionRange.probability.check(duplicationRate, "\(path).duplicationRate")
    try validateRate(at: path)
    try ConditionRange.delay.check(oneWayDelayMilliseconds, "\(path).oneWayDelayMilliseconds")
    try delaySteps?.validate(at: "\(path).delaySteps", oneWayDelayMilliseconds: oneWayDelayMilliseconds)
    try jitter?.validate(at: "\(path).jitter")
    try ConditionRange.probability.check(earlyRate, "\(path).earlyRate")
  }

  private func validateFilter(at path: String) throws(LinkConditionsError) {
    try ConditionRange.checkCount(outages?.count, 0...1000, "\(path).outages", of: "outages")
    for (index, outage) in (outages ?? []).enumerated() {
      try outage.validate(at: "\(path).outages[\(index)]")
    }
    try ConditionRange.checkInteger(
      maximumPacketBytes, 68...LinkLimits.maximumPacketBytes, "\(path).maximumPacketBytes", unit: "bytes")
    try ConditionRange.checkCount(
      droppedUDPPackets?.count, 0...100_000, "\(path).droppedUDPPackets", of: "packet numbers")
    for (index, number) in (droppedUDPPackets ?? []).enumerated() {
      try ConditionRange.checkInteger(
        number, 1...1_000_000_000, "\(path).droppedUDPPackets[\(index)]", unit: "counted from 1")
    }
  }

  private func validateRate(at path: String) throws(LinkConditionsError) {
    try ConditionRange.rate.check(udpRateBitsPerSecond, "\(path).udpRateBitsPerSecond")
    try ConditionRange.rate.check(rateBitsPerSecond, "\(path).rateBitsPerSecond")
    try validateOpportunities(at: "\(path).deliveryOpportunitiesMilliseconds")
    try ConditionRange.checkInteger(queueBytes, 1...1_000_000_000, "\(path).queueBytes", unit: "bytes")
    try ConditionRange.checkInteger(queuePackets, 1...1_000_000, "\(path).queuePackets", unit: "packets")
    guard rateBitsPerSecond == nil, deliveryOpportunitiesMilliseconds == nil else { return }
    let remedy = "set only beside rateBitsPerSecond or deliveryOpportunitiesMilliseconds: nothing waits without a rate"
    if let queueBytes {
      throw LinkConditionsError(field: "\(path).queueBytes", value: "\(queueBytes)", allowed: remedy)
    }
    if let queuePackets {
      throw LinkConditionsError(field: "\(path).queuePackets", value: "\(queuePackets)", allowed: remedy)
    }
  }

  private func validateOpportunities(at path: String) throws(LinkConditionsError) {
    guard let opportunities = deliveryOpportunitiesMilliseconds else { return }
    try ConditionRange.checkCount(opportunities.count, 1...MahimahiTrace.mostOpportunities, path, of: "times")
    var before = 0
    for (index, time) in opportunities.enumerated() {
      guard time >= before, time <= MahimahiTrace.latestMilliseconds else {
        throw LinkConditionsError(
          field: "\(path)[\(index)]", value: "\(time)",
          allowed: "\(before), the time before it, to \(MahimahiTrace.latestMilliseconds) ms")
      }
      before = time
    }
    guard before > 0 else {
      throw LinkConditionsError(
        field: path, value: "a trace that ends at 0", allowed: "one whose last time, its period, is at least 1 ms")
    }
  }
}

extension Loss {
  func validate(at path: String) throws(LinkConditionsError) {
    switch self {
    case .bernoulli(let rate, let longestBurst):
      try ConditionRange.probability.check(rate, "\(path).bernoulli.rate")
      try ConditionRange.checkInteger(
        longestBurst, 1...1_000_000, "\(path).bernoulli.longestBurst", unit: "packets")
    case .gilbert(let meanRate, let meanBurst):
      try ConditionRange.burst.check(meanBurst, "\(path).gilbert.meanBurstPackets")
      // The chance of leaving the good state, L / (B (1 − L)), must be at most 1.
      try ConditionRange(0, meanBurst / (1 + meanBurst), unit: "for bursts of \(meanBurst) packets")
        .check(meanRate, "\(path).gilbert.meanRate")
    case .weather(let goodMean, let goodRate, let badMean, let badRate, let badExtraDelay):
      try ConditionRange.period.check(goodMean, "\(path).weather.goodMeanMilliseconds")
      try ConditionRange.probability.check(goodRate, "\(path).weather.goodRate")
      try ConditionRange.period.check(badMean, "\(path).weather.badMeanMilliseconds")
      try ConditionRange.probability.check(badRate, "\(path).weather.badRate")
      try ConditionRange.delay.check(badExtraDelay, "\(path).weather.badExtraDelayMilliseconds")
    case .byTime(let meanRate, let meanBurst):
      try ConditionRange.timeShare.check(meanRate, "\(path).byTime.meanRate")
      try ConditionRange.period.check(meanBurst, "\(path).byTime.meanBurstMilliseconds")
    case .perByte(let rate):
      try ConditionRange.probability.check(rate, "\(path).perByte.rate")
    case .acknowledgements(let rate, let maximumQUICBytes):
      try ConditionRange.probability.check(rate, "\(path).acknowledgements.rate")
      try ConditionRange.checkInteger(
        maximumQUICBytes, LinkLimits.quicBytes, "\(path).acknowledgements.maximumQUICBytes", unit: "bytes")
    case .byToken(let rate, let maximumQUICBytes):
      try ConditionRange.probability.check(rate, "\(path).byToken.rate")
      try ConditionRange.checkInteger(
        maximumQUICBytes, LinkLimits.quicBytes, "\(path).byToken.maximumQUICBytes", unit: "bytes")
    case .pattern(let pattern):
      try ConditionRange.checkCount(pattern.count, 1...1_000_000, "\(path).pattern", of: "packets")
    }
  }
}

extension Outage {
  func validate(at path: String) throws(LinkConditionsError) {
    try ConditionRange.time.check(startMilliseconds, "\(path).startMilliseconds")
    try ConditionRange.duration.check(durationMilliseconds, "\(path).durationMilliseconds")
    try ConditionRange(durationMilliseconds, ConditionRange.time.most, unit: "ms, at least the duration")
      .check(everyMilliseconds, "\(path).everyMilliseconds")
  }
}

extension DelaySteps {
  func validate(at path: String, oneWayDelayMilliseconds: Double) throws(LinkConditionsError) {
    try ConditionRange.period.check(everyMilliseconds, "\(path).everyMilliseconds")
    try ConditionRange(0, oneWayDelayMilliseconds, unit: "ms, at most the one-way delay")
      .check(amplitudeMilliseconds, "\(path).amplitudeMilliseconds")
    try ConditionRange.probability.check(lossRate, "\(path).lossRate")
    try ConditionRange(0, everyMilliseconds, unit: "ms, at most the time between steps")
      .check(lossDurationMilliseconds, "\(path).lossDurationMilliseconds")
    if lossRate != nil, lossDurationMilliseconds == nil {
      throw LinkConditionsError(
        field: "\(path).lossDurationMilliseconds", value: "missing", allowed: "0 to the time between steps, in ms")
    }
    if lossRate == nil, lossDurationMilliseconds != nil {
      throw LinkConditionsError(field: "\(path).lossRate", value: "missing", allowed: "0 to 1")
    }
  }
}

extension Jitter {
  func validate(at path: String) throws(LinkConditionsError) {
    switch self {
    case .uniform(let maximum):
      try ConditionRange.delay.check(maximum, "\(path).uniform.maximumMilliseconds")
    case .rightSkewed(let mean, let maximum):
      try ConditionRange.delay.check(maximum, "\(path).rightSkewed.maximumMilliseconds")
      try ConditionRange(0, maximum, unit: "ms, at most the maximum").check(
        mean, "\(path).rightSkewed.meanMilliseconds")
    }
  }
}

extension Rebinding {
  func validate(at path: String) throws(LinkConditionsError) {
    try ConditionRange.time.check(firstMilliseconds, "\(path).firstMilliseconds")
    try ConditionRange.period.check(everyMilliseconds, "\(path).everyMilliseconds")
  }
}
