import LinkModel
import StreamRecord
import Testing

@testable import interop_endpoint
@testable import interop_runner

struct StreamingCasesTests {
  private static let all = StreamingCases.all

  @Test func clientAndRunnerKnowTheSameCases() {
    #expect(Set(Self.all.map(\.name)) == Set(StreamingTestCase.allCases.map(\.rawValue)))
  }

  @Test func namesAndLettersAreDistinct() {
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
    #expect(Set(Self.all.map(\.letter)).count == Self.all.count)
  }

  @Test(arguments: all) func aCaseIsWellFormed(_ test: StreamingCase) throws {
    #expect(
      test.name.hasPrefix("sse-") && test.letter.hasPrefix("e") && test.letter.count == 2 && !test.summary.isEmpty)
    // Throws where the link is none.
    _ = try LinkModel(test.link, seed: LinkSeed(scenario: 1, repetition: 0))
    let workload = test.workload
    #expect(workload.streams >= 1 && workload.events >= 100 && workload.burst >= 1)
    // No event is smaller than what it holds, and the client logs as much of it as the runner reads.
    #expect(workload.dataBytes(of: workload.events - 1) >= 80)
    #expect(StreamLine.dataLimit >= 80)
    // What happens happens while events flow, and after the streams are open.
    for incident in test.incidents {
      #expect(incident.atMilliseconds > 0 && incident.atMilliseconds < workload.milliseconds)
      if case .silence(let milliseconds) = incident.action {
        #expect(incident.atMilliseconds + milliseconds < workload.milliseconds)
        #expect(test.rule.latestMilliseconds > milliseconds)
      }
    }
    if let rebinding = test.link.rebinding {
      #expect(rebinding.firstMilliseconds > StreamingCase.leadMilliseconds)
      #expect(rebinding.firstMilliseconds < StreamingCase.leadMilliseconds + workload.milliseconds)
    }
    if let abort = workload.abortsAfter { #expect((1..<workload.events - 1).contains(abort)) }
    for transport in [test.rule.firstTransport, test.rule.lastTransport].compactMap(\.self) {
      #expect(["h3", "h1"].contains(transport))
    }
    #expect(test.limitMilliseconds < 60_000, "a cell takes at most a minute")
  }

  @Test func theScheduleIsSteadyBurstyOrSilent() {
    #expect(StreamingWorkload(events: 3, everyMilliseconds: 20).offsets == [0, 20_000_000, 40_000_000])
    #expect(
      StreamingWorkload(events: 4, everyMilliseconds: 500, burst: 2).offsets == [0, 0, 500_000_000, 500_000_000])
    let silent = StreamingWorkload(events: 3, everyMilliseconds: 1, silence: .init(before: 1, milliseconds: 12_000))
    #expect(silent.offsets == [0, 12_001_000_000, 12_002_000_000])
    #expect(silent.milliseconds == 12_002)
  }

  @Test func theSlowReadersStreamIsMoreThanItsMemoryMayGrow() throws {
    let test = try #require(Self.all.first { $0.name == StreamingTestCase.slowReader.rawValue })
    let growth = try #require(test.rule.residentGrowthBytes)
    let slow = try #require(StreamingTestCase.slowReader.slowStart)
    let bytes = test.workload.events * test.workload.eventBytes
    #expect(bytes > growth + growth / 4)
    // All of it is written while the reader is slow, but for what the link cannot take.
    #expect(test.workload.milliseconds * 1e6 < Double(slow.lasts / .nanoseconds(1)))
  }
}
