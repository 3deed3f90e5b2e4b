import LatencyReport
import Testing

@testable import latency_lab

struct RunRecorderTests {
  private let recorder = RunRecorder(
    plan: ClientPlan(
      origin: "https://localhost", authorityFile: "a.pem", offsetsNanoseconds: [[0, 10], [5]], leadMilliseconds: 0,
      deadlineMilliseconds: 1))

  private func receive(_ sequence: Int, _ stream: Int, at time: Int64) {
    recorder.received(OriginPayload(sequence: sequence, scheduled: 0, written: time - 1), on: stream, at: time)
  }

  @Test func eventsStandInThePlansOrder() {
    receive(0, 1, at: 30)
    receive(1, 0, at: 20)
    #expect(
      recorder.outcome(start: 1_000).events == [
        EventRecord(stream: 0, sequence: 0, scheduled: 1_000, written: nil, received: nil),
        EventRecord(stream: 0, sequence: 1, scheduled: 1_010, written: 19, received: 20),
        EventRecord(stream: 1, sequence: 0, scheduled: 1_005, written: 29, received: 30),
      ])
  }

  @Test func whatComesAgainIsCountedAndThrownAway() {
    receive(0, 0, at: 20)
    receive(0, 0, at: 99)
    let outcome = recorder.outcome(start: 0)
    #expect(outcome.duplicates == 1)
    #expect(outcome.events[0].received == 20)
  }

  @Test(arguments: [(2, 0), (0, 2), (-1, 0), (.max, 1)])
  func eventsThatNoPlanHasAreAFailure(_ sequence: Int, _ stream: Int) {
    receive(sequence, stream, at: 20)
    let outcome = recorder.outcome(start: 0)
    #expect(outcome.events.allSatisfy { $0.received == nil })
    #expect(outcome.failures == ["Stream \(stream) brought event \(sequence), which the plan does not have."])
  }

  @Test func onlyAStreamsFirstRequestAndFirstEventCount() {
    recorder.requested(0, .cold, at: 1)
    recorder.opened(0, at: 5)
    recorder.requested(0, .warm, at: 7)
    recorder.opened(0, at: 9)
    recorder.requested(1, .warm, at: 8)
    #expect(
      recorder.outcome(start: 0).openings == [
        .init(stream: 0, kind: .cold, requested: 1, firstEvent: 5),
        .init(stream: 1, kind: .warm, requested: 8, firstEvent: nil),
      ])
  }

  @Test func attemptsThatFailInARowAreOneBreak() {
    receive(0, 0, at: 20)
    recorder.broke(0, at: 30, reason: "reset")
    recorder.broke(0, at: 40, reason: "reset")
    receive(1, 0, at: 50)
    recorder.broke(0, at: 60, reason: "reset")
    recorder.broke(1, at: 61, reason: "reset")
    #expect(
      recorder.outcome(start: 0).reconnects == [
        .init(stream: 0, noticed: 30, lastEvent: 20, nextEvent: 50),
        .init(stream: 0, noticed: 60, lastEvent: 50, nextEvent: nil),
        .init(stream: 1, noticed: 61, lastEvent: nil, nextEvent: nil),
      ])
    #expect(recorder.outcome(start: 0).lastBreak == "reset")
  }

  @Test func failuresAreKeptOnceAndNotWithoutEnd() {
    for number in 0..<100 {
      recorder.failed("number \(number)")
      recorder.failed("number 0")
    }
    #expect(recorder.outcome(start: 0).failures == (0..<8).map { "number \($0)" })
  }
}
