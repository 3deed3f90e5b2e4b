/// The measured accuracy with which this machine emulates links.
package struct Calibration: Codable, Hashable, Sendable {
  /// The lateness of packets at one rate: one-way delay beyond the configured one.
  package struct Rate: Codable, Hashable, Sendable {
    package var packetsPerSecond: Int
    package var sent: Int
    package var added: DelayDistribution
    /// The part of it for which the emulator itself answers: how long after its due time it handed a packet over.
    package var lateness: DelayDistribution
  }

  /// Independent loss: the configured and the realised rate.
  package struct Loss: Codable, Hashable, Sendable {
    package var configuredRate: Double
    package var packets: Int
    package var dropped: Int
    /// Between these a right generator's count lies 99 times of 100.
    package var lowest: Int
    package var highest: Int

    package var realisedRate: Double { packets > 0 ? Double(dropped) / Double(packets) : 0 }
    package var isWithinInterval: Bool { lowest <= dropped && dropped <= highest }
  }

  /// One TCP connection over an empty link.
  package struct Throughput: Codable, Hashable, Sendable {
    package var bitsPerSecond: Double
    package var congestionControl: String?
  }

  /// One TCP connection over a lossy link, beside what Mathis et al. (1997) expect.
  package struct LossyThroughput: Codable, Hashable, Sendable {
    package var lossRate: Double
    package var roundTripMilliseconds: Double
    package var measuredBitsPerSecond: Double
    package var expectedBitsPerSecond: Double
    package var congestionControl: String?

    package var ratio: Double { expectedBitsPerSecond > 0 ? measuredBitsPerSecond / expectedBitsPerSecond : 0 }

    /// MSS / RTT * C / sqrt(p), with C = 1.22 for a receiver that acknowledges each segment.
    package static func expected(lossRate: Double, roundTripMilliseconds: Double) -> Double {
      guard lossRate > 0, roundTripMilliseconds > 0 else { return 0 }
      let segmentBits = 1_448.0 * 8
      return segmentBits / (roundTripMilliseconds / 1_000) * 1.22 / lossRate.squareRoot()
    }
  }

  package var configuredDelayMilliseconds: Double
  package var rates: [Rate] = []
  package var loss: Loss?
  package var throughput: Throughput?
  package var lossyThroughput: LossyThroughput?
  package var isRealtime = false
  package var isMemoryLocked = false
  package var loadBefore: [Double] = []
  package var loadAfter: [Double] = []
  /// Parts that could not be measured, and why.
  package var notMeasured: [String] = []

  /// Differences below it say nothing: 1 ms, or what the emulator adds at most to 99 of 100 packets, if that is more;
  /// at the rate nearest to 500 packets/s, which is what a few token streams make.
  package var noiseFloorMilliseconds: Double {
    let nearest = rates.min { abs($0.packetsPerSecond - 500) < abs($1.packetsPerSecond - 500) }
    return max(1, (nearest?.added.p99Microseconds ?? 0) / 1_000)
  }
}
