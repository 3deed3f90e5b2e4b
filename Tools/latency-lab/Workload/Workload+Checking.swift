extension Workload {
  /// The limits of a run: wide enough for every experiment, small enough that its events fit into memory.
  enum Limits {
    static let streams = 64
    static let events = 2_000_000
    static let seconds = 3_600.0
    static let tokensPerSecond = 10_000.0
    /// A smaller event has no room for its numbers.
    static let eventBytes = 80...65_536
    static let downloadBytes = 1_000_000_000
    static let sigma = 3.0
    static let burstTokens = 10_000
    static let recordedOffsets = 200_000
  }

  /// Throws ``WorkloadError`` for the first value that is outside its range.
  func check() throws(WorkloadError) {
    try Self.check("streams", Double(streams), 1...Double(Limits.streams))
    try Self.check("durationSeconds", durationSeconds, 0...Limits.seconds, isZeroAllowed: false)
    if let eventBytes {
      let range = Double(Limits.eventBytes.lowerBound)...Double(Limits.eventBytes.upperBound)
      try Self.check("eventBytes", Double(eventBytes), range)
    }
    if let downloadBytes {
      try Self.check("downloadBytes", Double(downloadBytes), 1...Double(Limits.downloadBytes))
    }
    try check(cadence)
    if let thinking {
      try Self.check("thinking.startMilliseconds", thinking.startMilliseconds, 0...Limits.seconds * 1_000)
      try Self.check(
        "thinking.durationMilliseconds", thinking.durationMilliseconds, 0...Limits.seconds * 1_000,
        isZeroAllowed: false)
    }
    if let tool {
      try Self.check("tool.atMilliseconds", tool.atMilliseconds, 0...durationSeconds * 1_000)
    }
    let expected = tokensPerSecond * durationSeconds * Double(streams)
    guard downloadBytes != nil || expected <= Double(Limits.events) else {
      throw WorkloadError(
        "The workload has about \(Int(expected)) events, more than \(Limits.events); take fewer streams, a lower rate "
          + "or a shorter duration.")
    }
  }

  private func check(_ cadence: Cadence) throws(WorkloadError) {
    switch cadence {
    case .steady(let rate):
      try Self.check("tokensPerSecond", rate, 0...Limits.tokensPerSecond, isZeroAllowed: false)
    case .jittered(let rate, let sigma):
      try Self.check("tokensPerSecond", rate, 0...Limits.tokensPerSecond, isZeroAllowed: false)
      try Self.check("sigma", sigma, 0...Limits.sigma)
    case .bursts(let tokens, let every):
      try Self.check("bursts.tokens", Double(tokens), 1...Double(Limits.burstTokens))
      try Self.check("bursts.everyMilliseconds", every, 1...Limits.seconds * 1_000)
    case .recorded(let offsets):
      try Self.check("the number of recorded offsets", Double(offsets.count), 1...Double(Limits.recordedOffsets))
      var last = 0.0
      for (index, offset) in offsets.enumerated() {
        try Self.check("recorded offset \(index)", offset, 0...Limits.seconds * 1_000)
        guard offset >= last else {
          throw WorkloadError(
            "Recorded offset \(index) is \(offset) ms, before the \(last) ms of the one ahead of it; sort the offsets.")
        }
        last = offset
      }
      guard offsets.count < 2 || last > offsets[0] else {
        throw WorkloadError("All \(offsets.count) recorded offsets are the same; use bursts for that.")
      }
    }
  }

  private static func check(
    _ name: String, _ value: Double, _ range: ClosedRange<Double>, isZeroAllowed: Bool = true
  ) throws(WorkloadError) {
    guard value.isFinite, range.contains(value), isZeroAllowed || value > 0 else {
      let low = isZeroAllowed ? "\(number(range.lowerBound))" : "more than 0"
      throw WorkloadError("\(name) is \(number(value)); it may be \(low) to \(number(range.upperBound)).")
    }
  }

  /// Without a fraction that says nothing: 5 rather than 5.0.
  static func number(_ value: Double) -> String {
    guard let whole = Int(exactly: value) else { return "\(value)" }
    return "\(whole)"
  }
}
