import EventLedger
import EventStream
import Hummingbird
import JSONService
import Logging
import NIOCore
import ResolveKitCore

/// A chat's event stream for one client: open questions, missed events, and new ones.
struct ChatStream: Sendable {
  let chatID: String
  /// The sequence number of the last event that the client has.
  let cursor: Int64
  /// The questions that wait, written at the beginning without an id: the client may have come for them.
  let open: [ApprovalRequest]
  let feed: LedgerFeed
  let now: @Sendable () -> WallTime
  let clock: any Clock<Duration>
  let keepAlive: Duration
  /// The term at which the stream ends, whatever happens in the chat.
  let term: StreamTerm
  let logger: Logger
  let seat: StreamSeats.Seat
  /// The budget of all streams, which this one's held bytes count against.
  let budget: StreamBudget

  /// The next thing to write.
  enum Part {
    /// The questions that wait.
    case beginning([LedgerDraft])
    case events([LedgerEvent])
    /// Nothing happened for a while.
    case beat
  }

  /// The stream as server-sent events.
  var body: ResponseBody {
    ResponseBody { writer in
      try await run { part in try await writer.write(ByteBuffer(bytes: block(part))) }
      try await writer.finish(nil)
    }
  }

  /// Writes until the stream ends; a writer that takes its time slows nobody else.
  func run(_ write: (Part) async throws -> Void) async throws {
    defer { seat.leave() }
    try await write(
      .beginning(open.map { ChatEvent(.approvalRequired, $0.json).draft(chatID: chatID, at: now()) }))
    let mailbox = StreamMailbox(budget: budget)
    let tasks = [Task { await read(into: mailbox) }, Task { await beat(mailbox) }, Task { await watch(mailbox) }]
    defer { for task in tasks { task.cancel() } }
    while true {
      switch await mailbox.next() {
      case .events(let events): try await write(.events(events))
      case .beat: try await write(.beat)
      case .end: return
      }
    }
  }

  private func block(_ part: Part) -> [UInt8] {
    switch part {
    // Clients learn by the comment that the stream is open, and by the id where to come back to, before there is any event.
    case .beginning(let drafts):
      EventStreamWriter.comment("connected") + Array("id: \(cursor)\n\n".utf8)
        + drafts.flatMap { EventStreamWriter.encode(bytes: $0.payload, type: $0.type) }
    case .events(let events):
      events.flatMap { EventStreamWriter.encode(bytes: $0.payload, id: String($0.sequence), type: $0.type) }
    case .beat: EventStreamWriter.comment("keep-alive")
    }
  }

  private func read(into mailbox: StreamMailbox) async {
    do {
      for try await event in feed.follow(ChatLog.stream(of: chatID), after: cursor) { await mailbox.put(event) }
    } catch is CancellationError {
      // The stream has ended.
    } catch {
      // The client comes back with its cursor, and learns then if that is the cause.
      logger.notice("an event stream ends: \(error)", metadata: ["chat": "\(chatID)"])
    }
    mailbox.finish()
  }

  private func beat(_ mailbox: StreamMailbox) async {
    while true {
      do { try await clock.sleep(for: keepAlive) } catch { return }
      mailbox.beat()
    }
  }

  private func watch(_ mailbox: StreamMailbox) async {
    await term.end(clock)
    // Cancelled, it ends too.
    mailbox.end()
  }
}
