import Foundation
import LinkModel

@testable import LatencyReport

func pow10(_ exponent: Double) -> Double { pow(10, exponent) }

/// SplitMix64: the same numbers everywhere.
struct SyntheticGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// One run of one made-up arm.
struct SyntheticRun {
  let metrics: RunMetrics
  let timeline: PlotData.Timeline
  let excess: [Double]

  init(
    arm: SyntheticExperiment.Arm, repetition: Int, streams: Int, events: Int, loss: Double,
    oneWayDelayMilliseconds delay: Double, factor: Double, using generator: inout SyntheticGenerator
  ) {
    var records: [PlotData.TimelineEvent] = []
    var drops: [PlotData.TimelineDrop] = []
    var stalls: [PlotData.TimelineStall] = []
    var excess: [Double] = []
    var blockedUntil = Array(repeating: 0.0, count: streams)
    for sequence in 0..<events {
      for stream in 0..<streams {
        let scheduled = Double(sequence) * 20 + Double(stream) * 1.7
        var arrival = scheduled + delay + Double.random(in: 0.9...2.4, using: &generator) * factor
        if Double.random(in: 0..<1, using: &generator) < loss {
          arrival += delay * 2 * Double.random(in: 1...1.3, using: &generator) * factor
          drops.append(PlotData.TimelineDrop(at: scheduled + 0.4, direction: .toClient, cause: .loss))
          for other in 0..<streams where arm.blocksAll || other == stream {
            blockedUntil[other] = max(blockedUntil[other], arrival)
            if arrival - scheduled - delay > 60 {
              stalls.append(PlotData.TimelineStall(stream: other, from: scheduled + delay, to: arrival))
            }
          }
        }
        if Double.random(in: 0..<1, using: &generator) < loss / 2 {
          drops.append(PlotData.TimelineDrop(at: scheduled + 7, direction: .toServer, cause: .loss))
        }
        let received = max(arrival, blockedUntil[stream])
        records.append(PlotData.TimelineEvent(stream: stream, scheduled: scheduled, received: received))
        excess.append(received - scheduled - delay)
      }
    }
    self.excess = excess
    timeline = PlotData.Timeline(
      arm: arm.name, repetition: repetition, events: records, drops: drops, stalls: stalls,
      queue: (0..<300).map {
        PlotData.TimelineSample(
          at: Double($0) * Double(events) * 20 / 300,
          value: Double.random(in: 0...1, using: &generator) * 2_400 * factor)
      },
      delay: (0..<300).map {
        PlotData.TimelineSample(
          at: Double($0) * Double(events) * 20 / 300,
          value: delay + Double.random(in: 0...2, using: &generator) * factor)
      })
    metrics = Self.metrics(
      arm, repetition: repetition, excess: excess.sorted(), stalls: stalls, loss: loss, delay: delay, factor: factor,
      using: &generator)
  }

  private static func metrics(
    _ arm: SyntheticExperiment.Arm, repetition: Int, excess sorted: [Double], stalls: [PlotData.TimelineStall],
    loss: Double, delay: Double, factor: Double, using generator: inout SyntheticGenerator
  ) -> RunMetrics {
    func quantile(_ share: Double) -> Double {
      Quantile.nearestRank(share, sorted: sorted) ?? 0
    }
    func late(_ limit: Double) -> Double {
      sorted.isEmpty ? 0 : Double(sorted.count { $0 > limit }) / Double(sorted.count) * 100
    }
    let longest = stalls.map { $0.to - $0.from }.max() ?? 0
    var values: [Metric: Double] = [
      .connect: 100 * factor, .firstEventCold: (150 + Double.random(in: 0...9, using: &generator)) * factor,
      .firstEventWarm: 2 * delay * factor + 1, .excessP50: quantile(0.5), .excessP90: quantile(0.9),
      .excessP95: quantile(0.95), .excessP99: quantile(0.99), .excessP999: quantile(0.999), .excessMax: quantile(1),
      .gapP50: 20 * factor, .gapP99: quantile(0.99) + 20, .gapMax: quantile(1) + 20, .delayVariationP99: quantile(0.99),
      .delayVariationMax: quantile(1), .stalls100: Double(stalls.count { $0.to - $0.from > 100 }), .stalls200: 0,
      .stalls500: 0, .stallTime200: 0, .stallLongest: longest, .stallShare200: late(60), .late50: late(50),
      .late100: late(100), .late200: late(200), .blockedEvents: arm.blocksAll ? quantile(0.9) * 10 : 0,
      .blockedTime: arm.blocksAll ? quantile(0.9) * 200 : 0, .recoveryP50: 1.1, .recoveryP95: 2.2, .lostEvents: 0,
      .duplicateEvents: 0, .serverLatenessP99: 0.6 * factor,
      .realisedLossToClient: loss * Double.random(in: 85...115, using: &generator),
      .realisedLossToServer: loss * Double.random(in: 80...120, using: &generator),
      .packetsPerThousandEvents: Double(Int.random(in: 1_480...1_560, using: &generator)),
      .bytesPerThousandEvents: Double(Int.random(in: 212_000...219_000, using: &generator)),
      .clientCPUPerThousandEvents: 0.081 * factor, .serverCPUPerThousandEvents: 0.043 * factor,
    ]
    if arm.name == "h3" { values[.firstEventResumed] = 101.3 * factor }
    return RunMetrics(repetition: repetition, seed: 7, values: values, events: sorted.count)
  }
}
