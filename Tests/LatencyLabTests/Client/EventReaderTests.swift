import EventStream
import LatencyReport
import NIOCore
import Testing

@testable import latency_lab

struct EventReaderTests {
  private static let plan = ClientPlan(
    origin: "https://localhost", authorityFile: "a.pem", offsetsNanoseconds: [[0, 1, 2]], leadMilliseconds: 0,
    deadlineMilliseconds: 1)

  private static let stream: [UInt8] =
    EventStreamWriter.encode("{}", type: "opened")
    + OriginPayload(sequence: 0, scheduled: 1, written: 2).block(type: nil, bytes: 85)
    + OriginPayload(sequence: 1, scheduled: 1, written: 2).block(type: "tool", bytes: 85)
    + OriginPayload(sequence: 2, scheduled: 1, written: 2).block(type: nil, bytes: 85)
    + EventStreamWriter.encode("{}", type: "end")

  /// Whole, halved, and byte by byte.
  @Test(arguments: [1, 2, stream.count])
  func piecesOfAnySizeMeanTheSame(_ pieces: Int) throws {
    let recorder = RunRecorder(plan: Self.plan)
    recorder.requested(0, .cold, at: 0)
    var reader = EventReader(stream: 0, recorder: recorder)
    var outcomes: [EventReader.Outcome] = []
    let size = (Self.stream.count + pieces - 1) / pieces
    for start in stride(from: 0, to: Self.stream.count, by: size) {
      let piece = Self.stream[start..<min(start + size, Self.stream.count)]
      outcomes.append(try reader.read(ByteBuffer(bytes: piece), at: Int64(start + 1)))
    }
    #expect(outcomes.last == .end)
    // Behind the end nobody waits for a tool's result any more.
    #expect(outcomes.count { $0 == .tool } == (pieces == Self.stream.count ? 1 : 0))
    let outcome = recorder.outcome(start: 0)
    #expect(outcome.events.allSatisfy { $0.received != nil })
    #expect(outcome.openings.first?.firstEvent != nil)
    #expect(outcome.duplicates == 0 && outcome.failures.isEmpty)
  }

  /// Events that were cut off are requested again; the half event before the break is dropped.
  @Test(arguments: 0..<stream.count)
  func everyCutIsResumedWithNothingLost(_ cut: Int) throws {
    let recorder = RunRecorder(plan: Self.plan)
    var reader = EventReader(stream: 0, recorder: recorder)
    _ = try reader.read(ByteBuffer(bytes: Self.stream[..<cut]), at: 1)
    let had = recorder.outcome(start: 0).events.count { $0.received != nil }
    #expect(reader.next == had)
    reader.restart()
    let rest = (had..<3).flatMap { OriginPayload(sequence: $0, scheduled: 1, written: 2).block(type: nil, bytes: 85) }
    _ = try reader.read(ByteBuffer(bytes: rest), at: 2)
    let outcome = recorder.outcome(start: 0)
    #expect(outcome.events.allSatisfy { $0.received != nil } && outcome.duplicates == 0)
  }

  @Test(arguments: [
    "data: {}\n\n", "event: surprise\ndata: {}\n\n", "event: tool\ndata: x\n\n",
    String(repeating: "x", count: 200_000),
  ])
  func whatNoOriginSendsIsAnError(_ text: String) {
    var reader = EventReader(stream: 0, recorder: RunRecorder(plan: Self.plan))
    #expect(throws: StreamClientError.self) { try reader.read(ByteBuffer(string: text), at: 1) }
  }
}
