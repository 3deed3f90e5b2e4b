import Foundation
import LatencyReport
import StreamTransport
import Testing

@testable import latency_lab

/// Clients and origin together on loopback; nothing is said about how long anything took.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct ClientRunTests {
  /// A schedule of 0.3 s with a generous deadline.
  private static func plan(
    streams: Int = 4, tool: Double? = nil, downloadBytes: Int? = nil, deadlineMilliseconds: Double = 20_000,
    eventBytes: Int? = nil
  ) throws -> ClientPlan {
    let workload = Workload(
      streams: streams, durationSeconds: 0.3, cadence: .steady(tokensPerSecond: 50),
      tool: tool.map { .init(atMilliseconds: $0) })
    return ClientPlan(
      origin: "https://localhost", authorityFile: "-",
      schedule: try StreamSchedule(workload, seed: 1, roundTripMilliseconds: 5), leadMilliseconds: 100,
      deadlineMilliseconds: deadlineMilliseconds, downloadBytes: downloadBytes, eventBytes: eventBytes)
  }

  private static func run(_ arm: ClientArm, _ plan: ClientPlan) async throws -> ClientRecord {
    await ClientRun(plan: plan, client: try arm.makeClient(plan)).run()
  }

  /// Every event of the plan is there once, in order, and none was written before it was due.
  private static func expectWhole(
    _ record: ClientRecord, _ plan: ClientPlan, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(record.failure == nil, sourceLocation: sourceLocation)
    let scheduled = plan.offsetsNanoseconds.flatMap { $0.map { record.start + $0 } }
    #expect(record.events.map(\.scheduled) == scheduled, sourceLocation: sourceLocation)
    for event in record.events {
      guard let written = event.written, let received = event.received else {
        Issue.record("event \(event.sequence) of stream \(event.stream) did not come", sourceLocation: sourceLocation)
        continue
      }
      #expect(written >= event.scheduled, sourceLocation: sourceLocation)
      #expect(received >= written, sourceLocation: sourceLocation)
    }
    for stream in plan.offsetsNanoseconds.indices {
      let times = record.events.filter { $0.stream == stream }.compactMap(\.received)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, sourceLocation: sourceLocation)
    }
    #expect(
      record.openings.map(\.stream).sorted() == Array(plan.offsetsNanoseconds.indices), sourceLocation: sourceLocation)
    #expect(record.openings.allSatisfy { ($0.firstEvent ?? 0) > $0.requested }, sourceLocation: sourceLocation)
    #expect(record.ended >= record.requested, sourceLocation: sourceLocation)
  }

  @Test(arguments: ClientArm.allCases, ["127.0.0.1", "::1"])
  func everyEventComesOnceAndInOrder(_ arm: ClientArm, _ address: String) async throws {
    let origin = try await OriginUnderTest(try Self.plan(), address: address)
    let record = try await Self.run(arm, origin.plan)
    Self.expectWhole(record, origin.plan)
    #expect(record.duplicates == 0 && record.reconnects.isEmpty)
    let spoken = arm == .h1 ? "h1" : arm.isHTTP2 ? "h2" : "h3"
    #expect(record.spoken == spoken)
    #expect(record.connections == (arm == .h1 ? 4 : 1))
    // What goes out beside the handshake does not ask when that was done.
    #expect(arm == .h3ZeroRTT ? record.connected == nil : (record.connected ?? 0) > record.requested)
    let kind: ClientRecord.Opening.Kind = arm == .h3Resumed ? .resumed : arm == .h3ZeroRTT ? .zeroRTT : .cold
    #expect(record.openings.first { $0.stream == 0 }?.kind == kind)
    #expect(record.openings.filter { $0.stream > 0 }.allSatisfy { $0.kind == (arm == .h1 ? .cold : .warm) })
    #expect(record.cpuSeconds > 0)
    #expect(record.software.contains(arm.isHTTP2 ? "AsyncHTTPClient" : "agent-stream"))
    await origin.stop()
  }

  /// The first response of stream 0 breaks behind its fourth event.
  @Test(arguments: ClientArm.allCases)
  func aBrokenStreamIsResumedWhereItWas(_ arm: ClientArm) async throws {
    let origin = try await OriginUnderTest(try Self.plan(), cutAfter: 5)
    let record = try await Self.run(arm, origin.plan)
    Self.expectWhole(record, origin.plan)
    #expect(record.duplicates == 0)
    // Over HTTP/1.1 and HTTP/3 a broken response leaves the other streams alone.
    let breaks = record.reconnects.filter { $0.stream == 0 }
    #expect(breaks.count == 1)
    let received = record.events.filter { $0.stream == 0 }.compactMap(\.received)
    #expect(breaks.first?.lastEvent == received[3])
    #expect(breaks.first?.nextEvent == received[4])
    #expect((breaks.first?.noticed ?? 0) >= received[3])
    await origin.stop()
  }

  @Test(arguments: ClientArm.allCases)
  func eventsBehindAToolCallWaitForItsResult(_ arm: ClientArm) async throws {
    let origin = try await OriginUnderTest(try Self.plan(tool: 100))
    let record = try await Self.run(arm, origin.plan)
    Self.expectWhole(record, origin.plan)
    let tool = try #require(origin.plan.toolSequence)
    for stream in origin.plan.offsetsNanoseconds.indices {
      let events = record.events.filter { $0.stream == stream }
      // The client can only have answered what it had received.
      #expect((events[tool + 1].written ?? 0) > (events[tool].received ?? .max))
    }
    await origin.stop()
  }

  @Test(arguments: ClientArm.allCases)
  func aDownloadIsOneEvent(_ arm: ClientArm) async throws {
    let origin = try await OriginUnderTest(try Self.plan(downloadBytes: 3_000_001))
    let record = try await Self.run(arm, origin.plan)
    #expect(record.failure == nil)
    let event = try #require(record.events.first)
    #expect(record.events.count == 1 && event.stream == 0 && event.sequence == 0)
    #expect(event.scheduled == record.requested && event.written == record.requested)
    let first = try #require(record.openings.first?.firstEvent)
    #expect(record.requested < first && first <= (event.received ?? 0))
    await origin.stop()
  }

  @Test(arguments: ClientArm.allCases)
  func whatDidNotComeByTheDeadlineIsSaid(_ arm: ClientArm) async throws {
    // Nobody answers a tool that is called in an event which is never due before the deadline.
    var plan = try Self.plan(streams: 2, deadlineMilliseconds: 150)
    plan.offsetsNanoseconds = [[0, 60_000_000_000], [0, 50_000_000, 60_000_000_000]]
    let origin = try await OriginUnderTest(plan)
    let record = try await Self.run(arm, origin.plan)
    #expect(record.failure?.contains("of 5 events did not come by the deadline.") == true, "\(record.failure ?? "")")
    let late = record.events.filter { $0.scheduled > record.start + 1_000_000_000 }
    #expect(late.count == 2 && late.allSatisfy { $0.written == nil && $0.received == nil })
    await origin.stop()
  }

  @Test(arguments: ClientArm.allCases)
  func aCertificateOfAnotherIsNotAccepted(_ arm: ClientArm) async throws {
    let origin = try await OriginUnderTest(try Self.plan())
    let other = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
    try Data(other.certificatePEM.utf8).write(to: URL(fileURLWithPath: origin.plan.authorityFile))
    let record = try await Self.run(arm, origin.plan)
    #expect(record.events.allSatisfy { $0.received == nil })
    #expect(record.failure?.lowercased().contains("certificate") == true, "\(record.failure ?? "no failure")")
    await origin.stop()
  }

  /// The certificate is good but for other names. Not HTTP/2, where NIOSSL takes the socket's address for enough.
  @Test(arguments: [ClientArm.h3, .h1, .auto])
  func aCertificateForAnotherNameIsNotAccepted(_ arm: ClientArm) async throws {
    let origin = try await OriginUnderTest(try Self.plan())
    var plan = origin.plan
    plan.origin = plan.origin.replacing("127.0.0.1", with: "localhost")
    let record = try await Self.run(arm, plan)
    #expect(record.events.allSatisfy { $0.received == nil })
    #expect(record.failure?.lowercased().contains("certificate") == true, "\(record.failure ?? "no failure")")
    await origin.stop()
  }

  @Test(arguments: ClientArm.allCases)
  func aServerThatIsNotThereIsSaid(_ arm: ClientArm) async throws {
    let origin = try await OriginUnderTest(try Self.plan(streams: 2, deadlineMilliseconds: 1_000))
    await origin.stop(keepingFiles: true)
    let record = try await Self.run(arm, origin.plan)
    #expect(record.spoken == "none" && record.connections == 0 && record.connected == nil)
    #expect(record.failure?.contains("30 of 30 events did not come by the deadline. The last break: ") == true)
    #expect(record.reconnects.allSatisfy { $0.lastEvent == nil && $0.nextEvent == nil })
    await origin.stop()
  }

  @Test(arguments: ClientArm.allCases)
  func aFileThatIsNoAuthorityIsSaid(_ arm: ClientArm) throws {
    var plan = try Self.plan(streams: 1)
    plan.authorityFile = #filePath
    let error = #expect(throws: WorkloadError.self) { try arm.makeClient(plan) }
    #expect(error?.message.hasPrefix("authorityFile '\(#filePath)' is not a PEM file of certificates") == true)
  }
}
