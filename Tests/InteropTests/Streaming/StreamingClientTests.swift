import Foundation
import LinkModel
import StreamRecord
import StreamTransport
import TestSupport
import Testing

@testable import interop_endpoint
@testable import interop_runner

/// The streaming cases' client against a server on loopback, its lines judged by the runner's own rules.
@Suite(.timeLimit(.minutes(10)))
struct StreamingClientTests {
  private static func run(
    _ test: StreamingTestCase = .steady, streams: Int = 1, events: Int = 120, urls: [String]? = nil,
    fault: @escaping @Sendable (_ stream: Int, _ request: Int) -> EventOrigin.Fault = { _, _ in .none },
    _ body: (_ origin: EventOrigin, _ isWhole: Bool, _ record: StreamingRecord) throws -> Void
  ) async throws {
    let workload = StreamingWorkload(streams: streams, events: events, everyMilliseconds: 0)
    let origin = try EventOrigin(workload, fault: fault)
    let known = try await origin.start()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("streaming-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let settings = StreamingClient.Settings(
      urls: urls ?? known, downloads: folder.path,
      trust: .certificates(pem: origin.certificate.certificatePEM),
      clock: TransportClock(InstantClock()))
    do {
      let isWhole = try await StreamingClient(test, settings).run()
      await origin.close()
      let text = try Data(contentsOf: folder.appendingPathComponent(StreamingClient.fileName))
      try body(origin, isWhole, StreamingRecord(text: text))
    } catch {
      await origin.close()
      throw error
    }
  }

  private static func verdict(_ origin: EventOrigin, _ record: StreamingRecord, reconnects: Int) -> StreamingVerdict {
    let test = StreamingCase(
      name: "sse-test", letter: "eX", summary: "a test",
      link: LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 15)), workload: origin.workload,
      rule: StreamingRule(latestMilliseconds: 3_600_000, reconnects: reconnects...reconnects))
    return StreamingVerdict(test, record, hasEnded: true)
  }

  @Test func eventsOfSeveralStreamsAreWritten() async throws {
    try await Self.run(streams: 3) { origin, isWhole, record in
      let verdict = Self.verdict(origin, record, reconnects: 0)
      #expect(isWhole && verdict.succeeded, "\(verdict.reasons)")
      #expect(verdict.numbers?.events == 360 && verdict.numbers?.connections == 1)
      #expect(record.unreadable == 0)
      #expect(record.lines.first?.kind == .started)
      let summary = try #require(record.lines.last?.summary)
      #expect((summary.residentPeak ?? 0) >= summary.residentBefore ?? .max)
    }
  }

  @Test func aStreamThatIsResetIsResumedByItsCursor() async throws {
    try await Self.run(fault: { _, request in request == 1 ? .reset(after: 59) : .none }) { origin, isWhole, record in
      let verdict = Self.verdict(origin, record, reconnects: 1)
      #expect(isWhole && verdict.succeeded, "\(verdict.reasons)")
      let cursors = origin.cursors(of: 0)
      #expect(cursors.count == 2 && cursors.first == .some(nil))
      // The last event that was read, whatever the reset overtook.
      let place = try #require(record.lines.firstIndex { $0.kind == .disconnected })
      #expect(cursors.last == .some(record.lines[..<place].last { $0.kind == .event }?.id))
      #expect(record.lines[place].cause?.contains("reset") == true)
    }
  }

  @Test func aStreamThatEndsEarlyIsAskedForAgain() async throws {
    try await Self.run(fault: { _, request in request < 3 ? .end(after: request * 40) : .none }) {
      origin, isWhole, record in
      let verdict = Self.verdict(origin, record, reconnects: 2)
      #expect(isWhole && verdict.succeeded, "\(verdict.reasons)")
      #expect(origin.cursors(of: 0) == [nil, "40", "80"])
    }
  }

  @Test func allConnectionsAreClosedOnceWhereTheCaseSaysSo() async throws {
    // More than all buffers hold, so that the stream is not complete when its hundredth event is read.
    try await Self.run(.zeroRTTReconnect, events: 30_000) { origin, isWhole, record in
      let verdict = Self.verdict(origin, record, reconnects: 1)
      #expect(isWhole && verdict.succeeded, "\(verdict.reasons)")
      #expect(verdict.numbers?.connections == 2)
      let later = record.lines.filter { $0.kind == .opened && $0.connection == 2 }.compactMap(\.resumption)
      #expect(later == [Resumption.earlyDataAccepted.rawValue])
    }
  }

  @Test func aStreamThatIsRefusedFails() async throws {
    try await Self.run(streams: 2, fault: { stream, _ in stream == 1 ? .status(403) : .none }) {
      origin, isWhole, record in
      #expect(!isWhole)
      let reasons = Self.verdict(origin, record, reconnects: 0).reasons
      #expect(reasons.contains("Stream 1 failed: The server answered with status 403."))
      #expect(!reasons.contains { $0.hasPrefix("Stream 0") })
    }
  }

  @Test(arguments: [[], ["https://127.0.0.1:1/a", "https://127.0.0.1:2/a"], ["ftp://127.0.0.1/a"], ["not a URL"]])
  func rubbishInRequestsIsRefused(_ urls: [String]) async throws {
    await #expect(throws: TransportError.self) { try await Self.run(urls: urls) { _, _, _ in } }
  }

  @Test func unknownCasesAreUnsupported() async {
    #expect(await StreamingEndpoint.run([:]) == 127)
    #expect(await StreamingEndpoint.run(["TESTCASE": "sse-unheard-of"]) == 127)
    #expect(StreamingEndpoint.knows("sse-steady") && !StreamingEndpoint.knows("transfer"))
    #expect(await StreamingEndpoint.run(["TESTCASE": "sse-steady", "DOWNLOADS": "/nowhere"]) == 1)
  }

  @Test func aSlowReaderTakesItsTimeAndThenWhatComes() async throws {
    let clock = InstantClock()
    var reader = SlowReader(.init(bytesPerSecond: 1_000, lasts: .seconds(3)), clock: TransportClock(clock))
    let start = clock.now
    func elapsed() -> Duration { start.duration(to: clock.now) }
    try await reader.take(500)
    #expect(elapsed() == .milliseconds(500))
    try await reader.take(2_000)
    #expect(elapsed() == .milliseconds(2_500))
    try await reader.take(600)
    #expect(elapsed() == .milliseconds(3_100))
    try await reader.take(1 << 30)
    #expect(elapsed() == .milliseconds(3_100))
    var hurried = SlowReader(nil, clock: TransportClock(clock))
    try await hurried.take(1 << 30)
    #expect(elapsed() == .milliseconds(3_100))
  }
}
