import Testing

@testable import latency_lab

struct WorkloadTests {
  private static func workload(_ change: (inout Workload) -> Void) -> Workload {
    var workload = Workload(streams: 8, durationSeconds: 5, cadence: .steady(tokensPerSecond: 50))
    change(&workload)
    return workload
  }

  @Test(arguments: [
    (workload { _ in }, "8 staggered streams of 50 tokens/s for 5 s"),
    (workload { $0.streams = 1 }, "1 stream of 50 tokens/s for 5 s"),
    (workload { $0.isAligned = true }, "8 aligned streams of 50 tokens/s for 5 s"),
    (workload { $0.durationSeconds = 0.5 }, "8 staggered streams of 50 tokens/s for 0.5 s"),
    (
      workload { $0.cadence = .jittered(tokensPerSecond: 20, sigma: 0.5) },
      "8 staggered streams of 20 tokens/s with log-normal gaps (sigma 0.5) for 5 s"
    ),
    (
      workload { $0.cadence = .bursts(tokens: 8, everyMilliseconds: 160) },
      "8 staggered streams of 8 tokens every 160 ms for 5 s"
    ),
    (
      workload { $0.cadence = .recorded(offsetsMilliseconds: [0, 100, 1_200]) },
      "8 staggered streams of a recorded cadence (3 tokens in 1.2 s, 1.67 tokens/s) for 5 s"
    ),
    (
      workload { $0.cadence = .recorded(.sentencesWithPauses) },
      "8 staggered streams of the cadence 'sentences-with-pauses' (180 tokens in 4.8 s, 37.3 tokens/s) for 5 s"
    ),
    (workload { $0.cadence = .recorded(offsetsMilliseconds: [300]) }, "8 staggered streams of one event for 5 s"),
    (
      workload { $0.thinking = .init(startMilliseconds: 500, durationMilliseconds: 2_500) },
      "8 staggered streams of 50 tokens/s for 5 s, silent for 2.5 s after 500 ms"
    ),
    (
      workload { $0.tool = .init(atMilliseconds: 2_000) },
      "8 staggered streams of 50 tokens/s for 5 s, a tool call after 2 s"
    ),
    (workload { $0.eventBytes = 500 }, "8 staggered streams of 50 tokens/s for 5 s, 500 bytes an event"),
    (workload { $0.eventBytes = Workload.defaultEventBytes }, "8 staggered streams of 50 tokens/s for 5 s"),
    (workload { $0.downloadBytes = 10_000_000 }, "a download of 10 MB"),
    (workload { $0.downloadBytes = 1_234_567 }, "a download of 1.23 MB"),
    (workload { $0.downloadBytes = 64_000 }, "a download of 64 kB"),
    (
      workload { $0.crossTraffic = true },
      "8 staggered streams of 50 tokens/s for 5 s, beside a TCP download that fills the link"
    ),
  ])
  func wordsSayWhatItIs(_ workload: Workload, _ words: String) {
    #expect(workload.inWords == words)
  }

  @Test(arguments: [
    (workload { $0.streams = 0 }, "streams is 0; it may be 1 to 64."),
    (workload { $0.streams = 65 }, "streams is 65; it may be 1 to 64."),
    (workload { $0.durationSeconds = 0 }, "durationSeconds is 0; it may be more than 0 to 3600."),
    (workload { $0.durationSeconds = .infinity }, "durationSeconds is inf; it may be more than 0 to 3600."),
    (workload { $0.durationSeconds = 3_601 }, "durationSeconds is 3601; it may be more than 0 to 3600."),
    (
      workload { $0.cadence = .steady(tokensPerSecond: -1) },
      "tokensPerSecond is -1; it may be more than 0 to 10000."
    ),
    (
      workload { $0.cadence = .jittered(tokensPerSecond: 50, sigma: .nan) }, "sigma is nan; it may be 0 to 3."
    ),
    (
      workload { $0.cadence = .bursts(tokens: 0, everyMilliseconds: 100) },
      "bursts.tokens is 0; it may be 1 to 10000."
    ),
    (
      workload { $0.cadence = .bursts(tokens: 1, everyMilliseconds: 0) },
      "bursts.everyMilliseconds is 0; it may be 1 to 3600000."
    ),
    (
      workload { $0.cadence = .recorded(offsetsMilliseconds: []) },
      "the number of recorded offsets is 0; it may be 1 to 200000."
    ),
    (
      workload { $0.cadence = .recorded(offsetsMilliseconds: [0, 50, 20]) },
      "Recorded offset 2 is 20.0 ms, before the 50.0 ms of the one ahead of it; sort the offsets."
    ),
    (
      workload { $0.cadence = .recorded(offsetsMilliseconds: [5, 5]) },
      "All 2 recorded offsets are the same; use bursts for that."
    ),
    (
      workload { $0.cadence = .recorded(offsetsMilliseconds: [-1, 5]) },
      "recorded offset 0 is -1; it may be 0 to 3600000."
    ),
    (workload { $0.eventBytes = 10 }, "eventBytes is 10; it may be 80 to 65536."),
    (workload { $0.downloadBytes = 0 }, "downloadBytes is 0; it may be 1 to 1000000000."),
    (
      workload { $0.thinking = .init(startMilliseconds: 0, durationMilliseconds: 0) },
      "thinking.durationMilliseconds is 0; it may be more than 0 to 3600000."
    ),
    (
      workload { $0.tool = .init(atMilliseconds: 5_001) }, "tool.atMilliseconds is 5001; it may be 0 to 5000."
    ),
    (
      workload {
        $0.streams = 64
        $0.durationSeconds = 3_600
      },
      "The workload has about 11520000 events, more than 2000000; take fewer streams, a lower rate or a shorter duration."
    ),
  ])
  func valuesOutsideTheirRangeAreRefusedInWords(_ workload: Workload, _ sentence: String) {
    let error = #expect(throws: WorkloadError.self) { try workload.check() }
    #expect(error?.message == sentence)
  }

  @Test func theLimitsThemselvesAreAllowed() throws {
    try Self.workload { workload in
      workload.streams = 64
      workload.durationSeconds = 3_600
      workload.cadence = .steady(tokensPerSecond: 8)
      workload.eventBytes = 65_536
    }.check()
  }

  @Test(arguments: RecordedCadence.allCases)
  func recordedCadencesHaveASaneShape(_ cadence: RecordedCadence) throws {
    let workload = Self.workload { $0.cadence = .recorded(cadence) }
    try workload.check()
    #expect((20...60).contains(workload.tokensPerSecond))
    let gaps = zip(cadence.offsetsMilliseconds, cadence.offsetsMilliseconds.dropFirst()).map { $1 - $0 }
    // What makes them worth having beside a steady cadence.
    #expect((gaps.max() ?? 0) > 3 * (gaps.min() ?? 0))
  }
}
