import EventStream
import Hummingbird
import NIOCore

/// One event stream of the origin: every event is written when the schedule says, independently of earlier ones.
struct PacedStream: Sendable {
  let stream: Int
  /// The schedule's start, on `CLOCK_MONOTONIC`.
  let start: Int64
  /// The first event to write; those before it were had.
  let from: Int
  let offsets: [Int64]
  let toolSequence: Int?
  /// The event after which the response breaks off, unless this stream has broken off there before.
  let abortSequence: Int?
  let eventBytes: Int
  /// The time at which the stream ends at the latest, so that a client that never sends its tool's result holds
  /// nothing for ever.
  let deadline: Int64
  let timer: PreciseTimer
  let tools: ToolArrivals
  let aborts: StreamAborts
  /// Nil where no link asks for marks.
  let marker: TokenMarker?

  /// Thrown where the plan breaks a response off: HTTP/3 and HTTP/2 reset the stream, HTTP/1.1 closes the connection.
  struct Aborted: Error {}

  var body: ResponseBody {
    ResponseBody { writer in
      try await write(&writer)
      try await writer.finish(nil)
    }
  }

  private func write(_ writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(bytes: EventStreamWriter.encode("{}", type: "opened")))
    for sequence in offsets.indices.dropFirst(from) {
      if let toolSequence, sequence == toolSequence + 1 {
        guard try await toolAnswered() else { return }
      }
      let scheduled = start + offsets[sequence]
      try await timer.wait(until: min(scheduled, deadline))
      guard scheduled <= deadline else { return }
      let type = sequence == toolSequence ? "tool" : nil
      let payload = OriginPayload(sequence: sequence, scheduled: scheduled, written: PreciseTimer.now)
      try marker?.mark(stream: stream, sequence: sequence)
      // One write an event: what is late goes out as it would have, in pieces.
      try await writer.write(ByteBuffer(bytes: payload.block(type: type, bytes: eventBytes)))
      if sequence == abortSequence, aborts.take(start: start, stream: stream) { throw Aborted() }
    }
    try await writer.write(ByteBuffer(bytes: EventStreamWriter.encode("{}", type: "end")))
  }

  /// Waits for the client's result; false when none came in time.
  private func toolAnswered() async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await tools.wait(for: ToolArrivals.Key(start: start, stream: stream))
        return true
      }
      group.addTask {
        try await timer.wait(until: deadline)
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }
}
