import EventLedger
import EventStream
import Hummingbird
import JSONService
import Logging
import NIOCore
import ResolveKitCore
import Synchronization

/// A worker's events for one reader: those after its cursor, and those to come until the stream ends.
struct WorkerStream: Sendable {
  /// Its end.
  enum Ending: Equatable, Sendable {
    /// The end after a time, as the contract has it; events that were stored when the stream began are written all
    /// the same.
    case after(Duration, reaching: Int64)
    /// Not by itself. A comment comes where nothing happened for so long.
    case never(keepAlive: Duration)
  }

  let worker: WorkerID
  let cursor: StreamCursor
  let ending: Ending
  let feed: LedgerFeed
  let clock: any Clock<Duration>
  /// Throws once the reader has no right to the stream any more.
  let recheck: @Sendable () throws -> Void
  let logger: Logger
  let seat: StreamSeats.Seat
  /// The budget of all streams, which this one's held bytes count against.
  let budget: StreamBudget

  /// The stream as server-sent events.
  var body: ResponseBody {
    ResponseBody { writer in
      try await run { bytes in try await writer.write(ByteBuffer(bytes: bytes)) }
      try await writer.finish(nil)
    }
  }

  /// Writes until the stream ends. A writer that takes its time slows its own reader alone.
  func run(_ write: ([UInt8]) async throws -> Void) async throws {
    defer { seat.leave() }
    let mailbox = StreamMailbox(budget: budget)
    let deadline = StreamDeadline()
    let tasks = [Task { await read(into: mailbox) }, Task { await keepTime(mailbox, deadline) }]
    defer { for task in tasks { task.cancel() } }
    var position = cursor.position
    // An endless stream's reader learns by it that the stream is open.
    if case .never = ending { try await write(EventStreamWriter.comment("connected")) }
    while true {
      switch await mailbox.next() {
      case .events(let events):
        let new = events.filter { $0.sequence > position }
        position = max(position, events.last?.sequence ?? position)
        if !new.isEmpty { try await write(new.flatMap { Self.block($0, of: worker) }) }
      case .beat:
        switch ending {
        case .after: break
        case .never: try await write(EventStreamWriter.comment("keep-alive"))
        }
      case .end: return
      }
      if case .after(_, let end) = ending, deadline.isPast, position >= end { return }
    }
  }

  /// One event as the contract writes it. The payload stays byte for byte as it came.
  static func block(_ event: LedgerEvent, of worker: WorkerID) -> [UInt8] {
    var envelope = JSONText()
    envelope.add("workerId", .string(worker.text))
    envelope.add("seq", JSONValue(event.sequence))
    envelope.add("eventType", .string(event.type))
    envelope.add("payload", text: event.payload)
    envelope.add("occurredAt", .string(event.time.zulu))
    return EventStreamWriter.encode(
      bytes: envelope.bytes, id: String(event.sequence), type: "codex.worker.event")
  }

  private func read(into mailbox: StreamMailbox) async {
    do {
      for try await event in feed.follow(StreamNames.events(of: worker), after: cursor.start) {
        await mailbox.put(event)
      }
    } catch is CancellationError {
      // The stream has ended.
    } catch {
      // The reader comes back with its cursor, and learns then if that is the cause.
      logger.notice("an event stream ends: \(error)", metadata: ["worker_id": "\(worker.text)"])
    }
    mailbox.finish()
  }

  private func keepTime(_ mailbox: StreamMailbox, _ deadline: StreamDeadline) async {
    do {
      switch ending {
      case .after(let tail, _):
        try await clock.sleep(for: tail)
        deadline.pass()
        mailbox.beat()
      case .never(let keepAlive):
        while true {
          try await clock.sleep(for: keepAlive)
          try recheck()
          mailbox.beat()
        }
      }
    } catch is CancellationError {
      // The stream has ended.
    } catch {
      mailbox.end()
    }
  }
}

/// Whether a stream's time is over.
private final class StreamDeadline: Sendable {
  private let state = Atomic(false)

  var isPast: Bool { state.load(ordering: .relaxed) }

  func pass() { state.store(true, ordering: .relaxed) }
}
