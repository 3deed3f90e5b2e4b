import Testing

@testable import latency_lab

struct WatchedAnswerTests {
  private static let millisecond: Int64 = 1_000_000
  private static let start: Int64 = 5_000_000_000

  /// Ten words, 20 ms apart, over a link of 25 ms.
  private static func answer() -> WatchedAnswer {
    WatchedAnswer(label: "HTTP/3", offsets: (0..<10).map { $0 * 20 * millisecond }, delay: 25 * millisecond)
  }

  private static func arrival(_ sequence: Int, late: Int64 = 0, stream: Int = 0) -> EventArrival {
    let scheduled = start + Int64(sequence) * 20 * millisecond
    return EventArrival(
      stream: stream, sequence: sequence, scheduled: scheduled, received: scheduled + (25 + late) * millisecond)
  }

  @Test func showsAWordWhenItCameAndCountsThoseThatAreDue() {
    var answer = Self.answer()
    #expect(answer.state(at: 0) == .init())
    for sequence in 0..<3 { answer.came(Self.arrival(sequence)) }
    #expect(answer.start == Self.start)
    let early = answer.state(at: 24 * Self.millisecond)
    #expect(early.words.isEmpty && early.behind == 0)
    // Three are here; those due at 60 and 80 ms, 25 ms later with the link, are not.
    let later = answer.state(at: 105 * Self.millisecond)
    #expect(later.words.map(\.text) == (0..<3).map(WatchedText.word))
    #expect(later.behind == 2 && later.lateCount == 0 && later.worstMilliseconds == 0)
  }

  @Test func marksWordsThatAreOver50MillisecondsLate() {
    var answer = Self.answer()
    answer.came(Self.arrival(0, late: 50))
    answer.came(Self.arrival(1, late: 51))
    let state = answer.state(at: 1_000 * Self.millisecond)
    #expect(state.words.map(\.isLate) == [false, true])
    #expect(state.lateCount == 1 && state.worstMilliseconds == 51)
  }

  @Test func keepsTheLastWordsAndCountsAll() {
    let count = 5_400
    var answer = WatchedAnswer(
      label: "HTTP/3", offsets: (0..<Int64(count)).map { $0 * 20 * Self.millisecond }, delay: 25 * Self.millisecond)
    for sequence in 0..<count { answer.came(Self.arrival(sequence, late: sequence % 100 == 99 ? 60 : 0)) }
    let end = answer.state(at: .max / 2)
    #expect(end.count == count && end.behind == 0 && end.lateCount == 54)
    #expect(end.words.map(\.text) == (4_000..<count).map(WatchedText.word))
    // 3 000 were due by then and came, but for the last, which is late.
    let earlier = answer.state(at: (2_999 * 20 + 25) * Self.millisecond)
    #expect(earlier.count == 2_999 && earlier.behind == 1 && earlier.lateCount == 29)
    #expect(earlier.words.first?.text == WatchedText.word(1_000) && earlier.words.count == 1_999)
  }

  @Test func ignoresOtherStreamsAndEventsThatTheScheduleDoesNotHave() {
    var answer = Self.answer()
    answer.came(Self.arrival(0, stream: 1))
    answer.came(Self.arrival(10))
    #expect(answer.start == nil && answer.state(at: .max / 2).words.isEmpty)
  }

  @Test func survivesTimesThatNoClockGives() {
    var answer = Self.answer()
    answer.came(EventArrival(stream: 0, sequence: 0, scheduled: .min, received: .max))
    answer.came(EventArrival(stream: 0, sequence: 9, scheduled: .max, received: .min))
    for elapsed in [0, Int64.max / 2] { #expect(answer.state(at: elapsed).words.count <= 2) }
  }
}

struct ArrivalTests {
  @Test func readsWhatItWrites() {
    let arrival = EventArrival(stream: 3, sequence: 41, scheduled: 123_456_789, received: 123_999_999)
    #expect(EventArrival(arrival.line) == arrival)
  }

  @Test(arguments: [
    "", "1 2 3", "1 2 3 4 5", "1 2 3 x", "-1 2 3 4", "1 -2 3 4", "1  2 3 4", "99999999999999999999 1 2 3",
  ])
  func refusesAnyOtherLine(_ line: String) {
    #expect(EventArrival(line) == nil)
  }
}
