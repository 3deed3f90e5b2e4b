import TestSupport
import Testing

@testable import latency_lab

struct StreamScheduleTests {
  private static func workload(
    _ cadence: Workload.Cadence, streams: Int = 1, seconds: Double = 1, thinking: Workload.Thinking? = nil,
    tool: Workload.ToolCall? = nil
  ) -> Workload {
    Workload(streams: streams, durationSeconds: seconds, cadence: cadence, thinking: thinking, tool: tool)
  }

  private static func milliseconds(_ schedule: StreamSchedule) -> [[Double]] {
    schedule.offsetsNanoseconds.map { $0.map { Double($0) / 1e6 } }
  }

  struct Row: CustomTestStringConvertible {
    var name: String
    var workload: Workload
    var milliseconds: [[Double]]

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "steady, streams between each other's ticks",
      workload: workload(.steady(tokensPerSecond: 4), streams: 4, seconds: 0.5),
      milliseconds: [[0, 250], [62.5, 312.5], [125, 375], [187.5, 437.5]]),
    Row(
      name: "bursts",
      workload: workload(.bursts(tokens: 3, everyMilliseconds: 100), streams: 2, seconds: 0.2),
      milliseconds: [[0, 0, 0, 100, 100, 100], [50, 50, 50, 150, 150, 150]]),
    Row(
      name: "recorded, repeated after the mean gap",
      workload: workload(.recorded(offsetsMilliseconds: [0, 10, 100]), streams: 1, seconds: 0.3),
      milliseconds: [[0, 10, 100, 150, 160, 250]]),
    Row(
      name: "a recording of one event is not repeated",
      workload: workload(.recorded(offsetsMilliseconds: [300]), streams: 2), milliseconds: [[300], [300.5]]),
    Row(
      name: "nothing while the model thinks",
      workload: workload(
        .steady(tokensPerSecond: 10), thinking: .init(startMilliseconds: 200, durationMilliseconds: 500)),
      milliseconds: [[0, 100, 700, 800, 900]]),
    Row(
      name: "a round trip behind a tool call",
      workload: workload(.steady(tokensPerSecond: 10), seconds: 0.5, tool: .init(atMilliseconds: 150)),
      milliseconds: [[0, 100, 200, 340, 440]]),
    Row(
      name: "a rate that has no whole nanoseconds does not drift",
      workload: workload(.steady(tokensPerSecond: 3), seconds: 1), milliseconds: [[0, 333.333333, 666.666667]]),
  ]

  @Test(arguments: rows)
  func offsetsAreWhatTheWorkloadSays(_ row: Row) throws {
    let schedule = try StreamSchedule(row.workload, seed: 1, roundTripMilliseconds: 40)
    #expect(Self.milliseconds(schedule) == row.milliseconds)
    #expect(schedule.eventCount == row.milliseconds.reduce(0) { $0 + $1.count })
    #expect(schedule.lengthNanoseconds == row.milliseconds.compactMap(\.last).max().map { Int64(($0 * 1e6).rounded()) })
  }

  @Test func theToolIsTheFirstEventFromItsTimeOn() throws {
    let workload = Self.workload(.steady(tokensPerSecond: 10), streams: 3, tool: .init(atMilliseconds: 150))
    let schedule = try StreamSchedule(workload, seed: 1, roundTripMilliseconds: 40)
    #expect(schedule.toolSequence == 2)
    // Every stream waits behind its own call.
    for offsets in schedule.offsetsNanoseconds { #expect(offsets[3] - offsets[2] == 140_000_000) }
  }

  /// Each cadence in turn, with sizes from a printed seed.
  @Test(arguments: 1...40)
  func schedulesAreSortedAndWithinTheirTime(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let streams = Int.random(in: 1...16, using: &generator)
    let rate = Double.random(in: 5...200, using: &generator)
    let recorded = (0..<20).map { _ in Double.random(in: 0...900, using: &generator) }.sorted()
    let cadences: [Workload.Cadence] = [
      .steady(tokensPerSecond: rate), .jittered(tokensPerSecond: rate, sigma: .random(in: 0...1.5, using: &generator)),
      .bursts(tokens: .random(in: 1...16, using: &generator), everyMilliseconds: 1_000 / rate * 4),
      .recorded(offsetsMilliseconds: recorded), .recorded(.sentencesWithPauses), .recorded(.slowingDown),
    ]
    let workload = Self.workload(
      cadences[seed % cadences.count], streams: streams, seconds: .random(in: 2...5, using: &generator),
      thinking: Bool.random(using: &generator) ? .init(startMilliseconds: 500, durationMilliseconds: 700) : nil)
    let schedule = try StreamSchedule(workload, seed: UInt64(seed), roundTripMilliseconds: 50)
    #expect(schedule.offsetsNanoseconds.count == streams)
    for offsets in schedule.offsetsNanoseconds {
      #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
      let end = Int64(workload.durationSeconds * 1e9)
      #expect((offsets.first ?? -1) >= 0 && (offsets.last ?? end) <= end, "seed \(seed)")
      guard workload.thinking != nil else { continue }
      #expect(!offsets.contains { $0 >= 500_000_000 && $0 < 1_200_000_000 }, "seed \(seed)")
    }
    // Both arms of a pair meet the same schedule.
    #expect(try StreamSchedule(workload, seed: UInt64(seed), roundTripMilliseconds: 50) == schedule, "seed \(seed)")
    let firsts = schedule.offsetsNanoseconds.compactMap(\.first)
    #expect(Set(firsts).count == firsts.count, "two streams begin at one instant, seed \(seed)")
  }

  @Test(arguments: [
    Workload.Cadence.steady(tokensPerSecond: 4), .jittered(tokensPerSecond: 50, sigma: 0.5),
    .bursts(tokens: 3, everyMilliseconds: 100), .recorded(offsetsMilliseconds: [0, 10, 100]),
  ])
  func alignedStreamsHaveTheSameTimes(_ cadence: Workload.Cadence) throws {
    var workload = Self.workload(cadence, streams: 4)
    func schedule() throws -> [[Int64]] {
      try StreamSchedule(workload, seed: 3, roundTripMilliseconds: 10).offsetsNanoseconds
    }
    #expect(Set(try schedule()).count == 4)
    workload.isAligned = true
    let aligned = try schedule()
    #expect(Set(aligned).count == 1 && aligned[0][0] == 0)
  }

  @Test func jitterKeepsTheMeanRateAndDependsOnSeedAndStream() throws {
    let workload = Self.workload(.jittered(tokensPerSecond: 50, sigma: 0.5), streams: 2, seconds: 100)
    let schedule = try StreamSchedule(workload, seed: 7, roundTripMilliseconds: 0)
    for offsets in schedule.offsetsNanoseconds {
      // 5 000 gaps whose standard deviation is 0.53 of their mean: 2.5 % is more than three standard errors.
      #expect((4_875...5_125).contains(offsets.count))
    }
    #expect(schedule.offsetsNanoseconds[0].prefix(100) != schedule.offsetsNanoseconds[1].prefix(100))
    #expect(try StreamSchedule(workload, seed: 8, roundTripMilliseconds: 0) != schedule)
  }

  @Test func aDownloadIsOneEventAtOnce() throws {
    var workload = Self.workload(.steady(tokensPerSecond: 50), streams: 4)
    workload.downloadBytes = 1_000
    let schedule = try StreamSchedule(workload, seed: 1, roundTripMilliseconds: 50)
    #expect(schedule.offsetsNanoseconds == [[0]])
    #expect(schedule.toolSequence == nil)
  }

  @Test(arguments: [
    (workload(.steady(tokensPerSecond: 1), seconds: 0.5, tool: .init(atMilliseconds: 400)), "call the tool earlier"),
    (
      workload(
        .steady(tokensPerSecond: 10), thinking: .init(startMilliseconds: 0, durationMilliseconds: 1_000)),
      "has no event"
    ),
    (workload(.recorded(offsetsMilliseconds: [2_000])), "has no event"),
  ])
  func schedulesWithoutEventsAreRefused(_ workload: Workload, _ words: String) {
    let error = #expect(throws: WorkloadError.self) {
      try StreamSchedule(workload, seed: 1, roundTripMilliseconds: 50)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [-1, 60_001, .infinity, .nan])
  func impossibleRoundTripsAreRefused(_ roundTrip: Double) {
    #expect(throws: WorkloadError.self) {
      try StreamSchedule(Self.workload(.steady(tokensPerSecond: 10)), seed: 1, roundTripMilliseconds: roundTrip)
    }
  }
}
