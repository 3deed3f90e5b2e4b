import EventStream
import Foundation
import LatencyReport
import StreamTransport
import Testing

@testable import latency_lab

/// Commands that stand in for somebody's own client; they write what is in files.
@Suite(.timeLimit(.minutes(10)))
struct CommandClientTests {
  private let folder: URL
  private static let events = 6

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-lab-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func plan(streams: Int = 1, deadlineMilliseconds: Double = 60_000, download: Int? = nil) -> ClientPlan {
    var plan = ClientPlan(
      origin: "https://origin.example", authorityFile: "/authority's.pem",
      offsetsNanoseconds: Array(repeating: Array(repeating: 0, count: Self.events), count: streams),
      leadMilliseconds: 0, deadlineMilliseconds: deadlineMilliseconds)
    plan.downloadBytes = download
    return plan
  }

  /// A file with the plan's events of this range, as an origin writes them.
  private func file(_ name: String, _ range: Range<Int>, hasEnd: Bool = true) throws -> String {
    var bytes = EventStreamWriter.encode("{}", type: "opened")
    for sequence in range {
      bytes += OriginPayload(sequence: sequence, scheduled: 1, written: 2).block(type: nil, bytes: 85)
    }
    if hasEnd { bytes += EventStreamWriter.encode("{}", type: "end") }
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file.path
  }

  private func run(_ command: String, _ plan: ClientPlan) async throws -> ClientRecord {
    let record = await ClientRun(plan: plan, client: CommandClient(try ClientCommandText(command), plan)).run()
    try FileManager.default.removeItem(at: folder)
    return record
  }

  @Test func eachStreamHasAProcessWhoseOutputIsRead() async throws {
    // One that stays open behind the end of the stream is not waited for.
    let record = try await run(
      "cat \(try file("all", 0..<Self.events)); : {url}; sleep 1000", plan(streams: 3))
    #expect(record.failure == nil)
    #expect(record.events.count == 3 * Self.events && record.events.allSatisfy { $0.received != nil })
    #expect(record.connections == 3 && record.reconnects.isEmpty && record.duplicates == 0)
    #expect(record.openings.map(\.kind) == [.cold, .cold, .cold])
    #expect(record.spoken == "unknown" && record.software.hasPrefix("cat ") && record.cpuSeconds > 0)
  }

  @Test func aProcessThatEndsEarlyIsStartedAgainBehindTheLastEvent() async throws {
    let first = try file("first", 0..<2, hasEnd: false)
    let second = try file("second", 2..<Self.events)
    let record = try await run(
      "case {url} in *from=0) cat \(first); exit 3;; *from=2) cat \(second);; esac", plan())
    #expect(record.failure == nil)
    #expect(record.events.allSatisfy { $0.received != nil } && record.duplicates == 0)
    #expect(record.connections == 2 && record.reconnects.count == 1)
  }

  @Test func valuesAreQuotedForTheShell() async throws {
    let all = try file("all", 0..<Self.events)
    // A URL's & would end a command, an apostrophe would begin a string.
    let record = try await run(
      "test {authority} = \"/authority's.pem\" && test \"$(printf %s {url} | tr -d '&')\" != {url} && cat \(all)",
      plan())
    #expect(record.failure == nil)
  }

  @Test func whatCannotBeRunIsSaidAtOnce() async throws {
    let record = try await run("/nonexistent/client {url}", plan())
    #expect(record.failure?.contains("The client's command cannot be run (exit code 127)") == true)
    #expect(record.connections == 1)
  }

  @Test func foreignOutputIsAFailure() async throws {
    let record = try await run("printf 'event: other\\ndata: x\\n\\n'; : {url}", plan())
    #expect(record.failure?.contains("an event that is not the origin's: other") == true)
  }

  /// Its children too: nothing of a client outlives its run. A pipe that they have open says when the last has ended.
  @Test func theDeadlineEndsTheProcesses() async throws {
    let name = folder.appendingPathComponent("open").path
    try #require(mkfifo(name, 0o600) == 0)
    let reading = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(name, O_WRONLY | O_CLOEXEC)
    defer { close(reading) }
    let record = try await run(
      "sleep 1000 >\(name) & sh -c 'sleep 1000; :' >\(name); : {url}", plan(deadlineMilliseconds: 500))
    #expect(record.failure?.contains("6 of 6 events did not come by the deadline.") == true)
    close(writing)
    var ends = pollfd(fd: reading, events: 0, revents: 0)
    let count = poll(&ends, 1, 60_000)
    #expect(count == 1 && ends.revents & Int16(POLLHUP) != 0)
  }

  @Test func aDownloadIsOneEvent() async throws {
    let record = try await run("head -c 1000000 /dev/zero; : {url}; sleep 1000", plan(download: 1_000_000))
    #expect(record.failure == nil && record.events.count == 1)
    #expect(record.events.allSatisfy { $0.received != nil })
  }

  @Test func aShortDownloadIsAFailure() async throws {
    let record = try await run("head -c 10 /dev/zero; : {url}", plan(download: 1_000_000))
    #expect(record.failure?.contains("after 10 of 1000000 bytes: The client's command ended") == true)
  }

  @Test func armsAreNamedInOrder() throws {
    let arms = try Arm.commands(["A=1 /usr/bin/curl -s {url}", "other {url}"])
    #expect(arms.map(\.name) == ["client", "client-2"] && arms.map(\.label) == ["curl", "other"])
    let areControls = arms.map(\.isControl)
    #expect(areControls == [true, true])
    let error = #expect(throws: LabError.self) { try Arm.commands(["curl"]) }
    #expect(error?.message.contains("'curl' has no {url}") == true)
  }
}
