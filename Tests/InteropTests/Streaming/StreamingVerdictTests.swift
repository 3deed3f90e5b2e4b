import Foundation
import LinkModel
import StreamRecord
import Testing

@testable import interop_runner

/// Made-up lines of a client, each of a run that went well, and one thing changed.
struct StreamingVerdictTests {
  private typealias Line = StreamLine

  private static func line(
    _ kind: Line.Kind, at: Int64, stream: Int? = nil, transport: String? = nil, connection: Int? = nil,
    resumption: String? = nil, cause: String? = nil
  ) -> Line {
    var line = Line(kind, at: at, stream: stream)
    line.transport = transport
    line.connection = connection
    line.resumption = resumption
    line.cause = cause
    return line
  }

  private static let start: Int64 = 1_000_000_000

  private static func test(_ change: (inout StreamingCase) -> Void = { _ in }) -> StreamingCase {
    var test = StreamingCase(
      name: "sse-test", letter: "eX", summary: "a test",
      link: LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 15)),
      workload: StreamingWorkload(streams: 2, events: 10, everyMilliseconds: 20),
      rule: StreamingRule(latestMilliseconds: 500, medianRoundTrips: 1))
    change(&test)
    return test
  }

  private static func event(
    _ test: StreamingCase, _ sequence: Int, stream: Int, latency: Int64 = 15_000_000, transport: String = "h3",
    connection: Int = 1
  ) -> Line {
    let due = start + (sequence < test.workload.events ? test.workload.offsets[sequence] : 0)
    var line = line(
      .event, at: due + latency, stream: stream, transport: transport, connection: connection, resumption: "none")
    line.id = "\(sequence)"
    line.type = "message"
    line.data = "{\"n\":\(sequence),\"t\":\(due),\"w\":\(due + 1_000_000),\"p\":\".."
    line.bytes = test.workload.dataBytes(of: sequence)
    return line
  }

  /// A run without a fault: started, opened, all events, ended, summary.
  private static func lines(_ test: StreamingCase, latency: Int64 = 15_000_000) -> [Line] {
    var lines = [line(.started, at: start - 1_000_000_000)]
    for stream in 0..<test.workload.streams {
      lines.append(
        line(
          .opened, at: start - 900_000_000, stream: stream, transport: "h3", connection: 1, resumption: "none"))
      lines += (0..<test.workload.events).map { event(test, $0, stream: stream, latency: latency) }
      lines.append(line(.ended, at: start + 1_000_000_000, stream: stream))
    }
    var last = line(.summary, at: start + 1_000_000_001)
    last.summary = .init(migrations: 0, residentBefore: 1_000, residentPeak: 2_000)
    return lines + [last]
  }

  private static func reasons(
    _ test: StreamingCase = test(), _ change: (inout [Line]) -> Void = { _ in }, hasEnded: Bool = true,
    waivers: StreamingVerdict.Waivers = .init()
  ) -> [String] {
    var lines = lines(test)
    change(&lines)
    return StreamingVerdict(test, StreamingRecord(lines: lines), hasEnded: hasEnded, waivers: waivers).reasons
  }

  private static func place(_ lines: [Line], _ sequence: Int, stream: Int = 0) -> Int {
    lines.firstIndex { $0.kind == .event && $0.stream == stream && $0.id == "\(sequence)" } ?? 0
  }

  @Test func aRunWithoutAFaultSucceeds() throws {
    let test = Self.test()
    let verdict = StreamingVerdict(test, StreamingRecord(lines: Self.lines(test)), hasEnded: true)
    #expect(verdict.succeeded && verdict.reasons.isEmpty)
    let numbers = try #require(verdict.numbers)
    #expect(numbers.events == 20)
    #expect(numbers.medianRoundTrips == 0.5 && numbers.p99RoundTrips == 0.5 && numbers.maximumRoundTrips == 0.5)
    #expect(numbers.longestGapMilliseconds == 0 && numbers.originMilliseconds == 1)
    #expect(numbers.connections == 1 && numbers.reconnects == 0)
    #expect(numbers.text == "p50 0.50, p99 0.50, max 0.50 RTT, gap 0 ms, 1 connection, 0 reconnected")
  }

  @Test func aLostEventFails() {
    #expect(Self.reasons { $0.remove(at: Self.place($0, 4, stream: 1)) } == ["Stream 1: lost: event 4."])
  }

  @Test func manyLostEventsAreCounted() {
    let reasons = Self.reasons {
      $0.removeAll { $0.stream == 0 && $0.kind == .event && ($0.id?.count == 1) && $0.id! < "8" }
    }
    #expect(reasons.contains("Stream 0: lost: event 0, 1, 2, 3, 4 and 3 more."))
  }

  @Test func aRepeatedEventFails() {
    #expect(
      Self.reasons { $0.insert($0[Self.place($0, 4)], at: Self.place($0, 4)) } == ["Stream 0: repeated: event 4."])
  }

  @Test func eventsOutOfOrderFail() {
    #expect(
      Self.reasons { $0.swapAt(Self.place($0, 4), Self.place($0, 5)) } == ["Stream 0: out of order: event 4."])
  }

  @Test func anEventThatIsNotTheOriginsFails() {
    let test = Self.test()
    let reasons = Self.reasons(test) { $0.insert(Self.event(test, 12, stream: 0), at: Self.place($0, 9) + 1) }
    #expect(reasons == ["Stream 0: unknown: event 12."])
    let foreign = Self.reasons { $0[Self.place($0, 3)].data = "{}" }
    #expect(foreign.first == "Stream 0: the event with id 3 has data that the origin did not write.")
    let strange = Self.reasons { $0[Self.place($0, 3)].stream = 7 }
    #expect(strange.first == "An event is of stream 7, which the case does not have.")
  }

  @Test func aDamagedEventFails() {
    let cut = Self.reasons { $0[Self.place($0, 3)].bytes = 5 }
    #expect(cut == ["Stream 0: event 3 is damaged: id 3, 5 bytes of data, 186 expected."])
    let renamed = Self.reasons { $0[Self.place($0, 3)].id = "x" }
    #expect(
      renamed == ["Stream 0: event 3 is damaged: id x, 186 bytes of data, 186 expected."])
  }

  @Test func aLateEventFails() {
    let reasons = Self.reasons { $0[Self.place($0, 9)].at += 600_000_000 }
    #expect(
      reasons == ["Stream 0: late: 1 events came more than 500 ms after they were due, event 9 615 ms."])
  }

  @Test func aMedianThatIsTooLateFails() {
    let test = Self.test()
    let slow = StreamingVerdict(
      test, StreamingRecord(lines: Self.lines(test, latency: 45_000_000)), hasEnded: true)
    #expect(slow.reasons == ["Late: the median is 1.50 round trips; it may be 1.00."])
  }

  @Test func aStreamThatIsCutShortFails() {
    let reasons = Self.reasons { lines in
      lines.removeAll { $0.stream == 1 && ($0.kind == .ended || $0.id == "9") }
    }
    #expect(
      reasons == ["Stream 1: lost: event 9.", "Stream 1 is cut short: the event that ends it never came."])
  }

  @Test func aStreamThatFailsAndAClientThatIsKilledFail() {
    let reasons = Self.reasons(
      Self.test(),
      { lines in
        for place in lines.indices where lines[place].kind == .ended && lines[place].stream == 0 {
          lines[place].kind = .failed
          lines[place].cause = "Nobody answers."
        }
      }, hasEnded: false)
    #expect(
      reasons == [
        "The client did not end by itself within \(Int(Self.test().limitMilliseconds)) ms.",
        "Stream 0 failed: Nobody answers.",
      ])
  }

  @Test func nothingAtAllFails() {
    let verdict = StreamingVerdict(Self.test(), StreamingRecord(lines: []), hasEnded: true)
    #expect(!verdict.succeeded && verdict.numbers == nil)
    #expect(verdict.reasons.contains("Stream 0: lost: event 0, 1, 2, 3, 4 and 5 more."))
  }

  @Test func theWrongTransportFails() {
    #expect(
      Self.reasons { $0[Self.place($0, 9)].transport = "h1" }
        == ["Stream 0: wrong transport: the last event came over h1, not over h3."])
    let fallback = Self.test { $0.rule.lastTransport = "h1" }
    #expect(
      Self.reasons(fallback)
        == (0..<2).map { "Stream \($0): wrong transport: the last event came over h3, not over h1." })
    let either = Self.test { $0.rule.lastTransport = nil }
    #expect(Self.reasons(either) { $0[Self.place($0, 9)].transport = "h1" }.isEmpty)
  }

  @Test func aStreamThatOpensLateFails() {
    let test = Self.test { $0.rule.opensWithinMilliseconds = 200 }
    #expect(Self.reasons(test).isEmpty)
    let late = Self.reasons(test) { lines in
      for place in lines.indices where lines[place].kind == .opened && lines[place].stream == 1 {
        lines[place].at += 150_000_000
      }
    }
    #expect(late == ["Stream 1: late: it was open after 250 ms; 200 are allowed."])
    #expect(
      Self.reasons(test) { $0.removeAll { $0.kind == .started } } == (0..<2).map { "Stream \($0) was never open." })
  }

  @Test func reconnectsAreCountedAgainstTheRule() {
    let once = Self.test { $0.rule.reconnects = 1...1 }
    let reasons = Self.reasons(once)
    #expect(reasons == (0..<2).map { "Stream \($0) was opened anew 0 times; 1 to 1 are expected. " })
    let again: (inout [Line]) -> Void = { lines in
      for stream in 0..<2 {
        let place = Self.place(lines, 5, stream: stream)
        lines.insert(
          Self.line(.disconnected, at: Self.start, stream: stream, cause: "The stream was reset."), at: place)
        lines.insert(
          Self.line(.opened, at: Self.start, stream: stream, transport: "h3", connection: 2, resumption: "resumed"),
          at: place + 1)
      }
    }
    #expect(Self.reasons(once, again).isEmpty)
    #expect(
      Self.reasons(Self.test(), again)
        == (0..<2).map { "Stream \($0) was opened anew 1 times; 0 to 0 are expected. The stream was reset." })
  }

  @Test func theResumptionIsThatOfALaterConnection() {
    let early = Self.test {
      $0.rule.reconnects = 0...1
      $0.rule.resumption = ["earlyDataAccepted"]
    }
    func opened(_ resumption: String, connection: Int = 2) -> (inout [Line]) -> Void {
      { lines in
        lines.insert(
          Self.line(
            .opened, at: Self.start, stream: 0, transport: "h3", connection: connection, resumption: resumption),
          at: Self.place(lines, 5))
      }
    }
    #expect(Self.reasons(early, opened("earlyDataAccepted")).isEmpty)
    #expect(
      Self.reasons(early, opened("resumed"))
        == ["No later connection has resumption earlyDataAccepted; there are: h3 resumed."])
    #expect(
      Self.reasons(early, opened("earlyDataAccepted", connection: 1))
        == ["No later connection has resumption earlyDataAccepted; there are: none."])
    // A server that draws a new ticket key when it starts cannot resume.
    let restarted = Self.test {
      $0.rule.reconnects = 0...1
      $0.rule.resumption = ["resumed", "earlyDataRefused"]
    }
    let forgetful = StreamingVerdict.Waivers(keepsTickets: false)
    #expect(Self.reasons(restarted, opened("none")).count == 1)
    #expect(Self.reasons(restarted, opened("none"), waivers: forgetful).isEmpty)
    #expect(Self.reasons(early, opened("none"), waivers: forgetful).count == 1)
  }

  @Test func aConnectionThatDoesNotMigrateFailsWhereItMay() {
    let test = Self.test { $0.rule.migrates = true }
    #expect(Self.reasons(test) == ["The connection did not go over to the client's other address."])
    #expect(Self.reasons(test, waivers: .init(allowsMigration: false)).isEmpty)
    let moved = Self.reasons(test) { $0[$0.count - 1].summary?.migrations = 1 }
    #expect(moved.isEmpty)
  }

  @Test func memoryThatGrowsFails() {
    let test = Self.test { $0.rule.residentGrowthBytes = 1 << 20 }
    #expect(Self.reasons(test).isEmpty)
    #expect(
      Self.reasons(test) { $0[$0.count - 1].summary?.residentPeak = 5 << 20 }
        == ["The client's memory grew by 4 MiB; 1 are allowed."])
    #expect(
      Self.reasons(test) { $0[$0.count - 1].summary = nil } == ["The client does not say how much memory it took."])
  }

  @Test func percentilesAreNearestRanksAndGapsAreBeyondTheSchedule() throws {
    let test = Self.test { $0.rule.medianRoundTrips = nil }
    var lines = Self.lines(test)
    lines[Self.place(lines, 6)].at += 90_000_000
    let numbers = try #require(StreamingVerdict(test, StreamingRecord(lines: lines), hasEnded: true).numbers)
    #expect(numbers.medianRoundTrips == 0.5)
    #expect(numbers.p99RoundTrips == 3.5 && numbers.maximumRoundTrips == 3.5)
    #expect(numbers.longestGapMilliseconds == 90)
  }

  @Test func linesThatCannotBeReadAreCounted() {
    let record = StreamingRecord(text: Data("{\"kind\":\"ended\",\"at\":5,\"stream\":0}\n{\"kind\":\"eve".utf8))
    #expect(record.lines.count == 1 && record.unreadable == 1)
  }

  @Test(arguments: ["", "{}", "{\"n\":1}", "{\"n\":1,\"t\":2}", "{\"n\":99999999999999999999,\"t\":2,\"w\":3,"])
  func rubbishIsNoPayload(_ data: String) {
    #expect(StreamingRecord.Payload(data) == nil)
  }
}
