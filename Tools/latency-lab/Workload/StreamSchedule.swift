import Foundation
import LinkModel

/// The times at which each stream's events are due, made before the run: the same for every arm with the same seed.
struct StreamSchedule: Hashable, Sendable {
  /// For each stream, nanoseconds from the schedule's start; never descending.
  let offsetsNanoseconds: [[Int64]]
  /// The event of every stream that asks for a tool's result; nil: none does.
  let toolSequence: Int?

  /// - Parameters:
  ///   - seed: the same for all arms of a pair.
  ///   - roundTripMilliseconds: of the empty link; the events behind a tool call are due that much later.
  ///
  /// Throws ``WorkloadError``.
  init(_ workload: Workload, seed: UInt64, roundTripMilliseconds: Double) throws(WorkloadError) {
    try workload.check()
    guard roundTripMilliseconds.isFinite, (0...60_000).contains(roundTripMilliseconds) else {
      throw WorkloadError("The round trip is \(roundTripMilliseconds) ms; it may be 0 to 60000.")
    }
    guard workload.downloadBytes == nil else {
      offsetsNanoseconds = [[0]]
      toolSequence = nil
      return
    }
    var streams: [[Int64]] = []
    var count = 0
    for stream in 0..<workload.streams {
      let offsets = try Self.offsets(of: stream, workload, seed, room: Workload.Limits.events - count)
      guard !offsets.isEmpty else {
        throw WorkloadError(
          "Stream \(stream) has no event in \(Workload.number(workload.durationSeconds)) s; take a longer duration, a "
            + "higher rate or a shorter pause.")
      }
      count += offsets.count
      streams.append(offsets)
    }
    let tool = try Self.toolSequence(workload, streams)
    if let tool {
      let wait = Self.nanoseconds(roundTripMilliseconds)
      for stream in streams.indices {
        for place in streams[stream].indices.dropFirst(tool + 1) { streams[stream][place] += wait }
      }
    }
    offsetsNanoseconds = streams
    toolSequence = tool
  }

  var eventCount: Int { offsetsNanoseconds.reduce(0) { $0 + $1.count } }

  /// The last event's offset.
  var lengthNanoseconds: Int64 { offsetsNanoseconds.compactMap(\.last).max() ?? 0 }

  /// The place of the first event that is due at the tool's time or later, the same in all streams and never the last.
  private static func toolSequence(
    _ workload: Workload, _ streams: [[Int64]]
  ) throws(WorkloadError) -> Int? {
    guard let tool = workload.tool, let first = streams.first else { return nil }
    let at = nanoseconds(tool.atMilliseconds)
    let shortest = streams.map(\.count).min() ?? 0
    guard let place = first.firstIndex(where: { $0 >= at }), place + 1 < shortest else {
      throw WorkloadError(
        "tool.atMilliseconds is \(Workload.number(tool.atMilliseconds)); no stream has an event behind a call at that "
          + "time, so call the tool earlier.")
    }
    return place
  }

  static func nanoseconds(_ milliseconds: Double) -> Int64 {
    Int64((milliseconds * 1e6).rounded())
  }
}

// MARK: - The cadences

extension StreamSchedule {
  /// One stream's offsets; streams that are not aligned are shifted against each other by an even share of a gap.
  private static func offsets(
    of stream: Int, _ workload: Workload, _ seed: UInt64, room: Int
  ) throws(WorkloadError) -> [Int64] {
    let isAligned = workload.isAligned ?? false
    let share = isAligned ? 0 : Double(stream) / Double(workload.streams)
    let end = workload.durationSeconds * 1_000
    var offsets: [Int64] = []
    let generator = LinkGenerator(seed: seed, stream: isAligned ? 0 : stream)
    var next = Ticks(workload.cadence, share: share, generator: generator)
    while let milliseconds = next.next(), milliseconds < end {
      guard !isSilent(at: milliseconds, workload.thinking) else { continue }
      guard offsets.count < room else {
        throw WorkloadError(
          "The workload has more than \(Workload.Limits.events) events; take fewer streams, a lower rate or a shorter "
            + "duration.")
      }
      offsets.append(nanoseconds(milliseconds))
    }
    return offsets
  }

  private static func isSilent(at milliseconds: Double, _ thinking: Workload.Thinking?) -> Bool {
    guard let thinking else { return false }
    let since = milliseconds - thinking.startMilliseconds
    return since >= 0 && since < thinking.durationMilliseconds
  }

  /// The endless series of a cadence, in milliseconds.
  private struct Ticks {
    let cadence: Workload.Cadence
    /// The stream's place among all, from 0 to below 1.
    let share: Double
    var generator: LinkGenerator
    var count = 0
    var last = 0.0

    init(_ cadence: Workload.Cadence, share: Double, generator: LinkGenerator) {
      self.cadence = cadence
      self.share = share
      self.generator = generator
    }

    /// nil after the only event of a recording that has one.
    mutating func next() -> Double? {
      defer { count += 1 }
      switch cadence {
      case .steady(let rate):
        return (Double(count) + share) * 1_000 / rate
      case .jittered(let rate, let sigma):
        let mean = 1_000 / rate
        if count == 0 { last = share * mean } else { last += logNormal(mean: mean, sigma) }
        return last
      case .bursts(let tokens, let every):
        return (Double(count / tokens) + share) * every
      case .recorded(let offsets):
        guard let gap = Workload.meanGapMilliseconds(of: offsets) else {
          // One event alone has no gap to share out; a millisecond in all keeps the streams apart.
          return count == 0 ? offsets.first.map { $0 + share } : nil
        }
        let period = gap * Double(offsets.count)
        return offsets[count % offsets.count] + Double(count / offsets.count) * period + share * gap
      }
    }

    /// The underlying normal distribution is shifted so that the mean stays as configured.
    private mutating func logNormal(mean: Double, _ sigma: Double) -> Double {
      exp(log(mean) - sigma * sigma / 2 + sigma * generator.normal())
    }
  }
}
