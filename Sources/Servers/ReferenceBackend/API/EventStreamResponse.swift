import EventLedger
import Hummingbird
import JSONService
import Logging
import NIOCore

/// Writes a session's events from a cursor on: those that are there in large pieces, then each as it comes.
///
/// Its end does not wait for the client: what that does not take for a while is broken off.
struct EventStreamResponse: Sendable {
  let sessionID: String
  /// The last event that the client has.
  let cursor: EventID
  /// The position at which reading begins: the cursor, or the end of the log that is nearer to it where it is
  /// outside.
  let start: EventID
  let feed: LedgerFeed
  let settings: BackendSettings
  let faults: StreamFaults
  let clock: any Clock<Duration>
  let logger: Logger
  /// Goes with the closure: a response that is dropped unwritten leaves its place too.
  let seat: StreamSeats.Seat
  /// What it holds counts with that of all others.
  let budget: StreamBudget

  /// The time for which a stream that ends waits for what is being written.
  private static let patience = Duration.seconds(5)

  var body: ResponseBody {
    ResponseBody { writer in
      defer { seat.leave() }
      try await write(&writer)
      try await writer.finish(nil)
    }
  }

  private func write(_ writer: inout any ResponseBodyWriter) async throws {
    let mailbox = StreamMailbox(budget: budget)
    let tasks = [Task { await read(into: mailbox) }, Task { await beat(mailbox) }, Task { await expire(mailbox) }]
    defer { for task in tasks { task.cancel() } }
    let pen = SharedWriter(writer)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await write(mailbox, with: pen) }
      group.addTask {
        await mailbox.ended()
        try? await clock.sleep(for: Self.patience)
      }
      try await group.next()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  private func write(_ mailbox: StreamMailbox, with pen: SharedWriter) async throws {
    // Clients learn by it that the stream is open, before there is any event.
    try await pen.write(Self.comment("connected"))
    while true {
      switch await mailbox.next() {
      case .events(let events):
        let frames = faults.apply(events)
        var buffer = ByteBuffer()
        buffer.reserveCapacity(frames.reduce(0) { $0 + $1.payload.count })
        for frame in frames { buffer.writeBytes(frame.payload) }
        if buffer.readableBytes > 0 { try await pen.write(buffer) }
      case .beat: try await pen.write(Self.comment("keep-alive"))
      case .end: return
      }
    }
  }

  private func read(into mailbox: StreamMailbox) async {
    do {
      var events = feed.follow(SessionLog.stream(of: sessionID), after: start.number).makeAsyncIterator()
      while let page = try await events.nextPage() {
        await mailbox.put(page.filter { $0.sequence > cursor.number })
      }
    } catch is CancellationError {
      // The stream has ended.
    } catch {
      // The client comes back with its cursor, and learns what is wrong with it where that is the cause.
      logger.notice("an event stream of session \(sessionID) ends: \(error)")
    }
    mailbox.finish()
  }

  /// A beat at every interval in which nothing was written: it also finds clients that left silently.
  private func beat(_ mailbox: StreamMailbox) async {
    while true {
      do { try await clock.sleep(for: settings.keepAlive) } catch { return }
      mailbox.beat()
    }
  }

  private func expire(_ mailbox: StreamMailbox) async {
    do { try await clock.sleep(for: settings.streamLifetime) } catch { return }
    mailbox.end()
  }

  private static func comment(_ text: String) -> ByteBuffer {
    ByteBuffer(string: ": \(text)\n\n")
  }
}

/// Carries a response's writer into a child task.
///
/// Unchecked: one child uses it, and its maker waits for that.
private final class SharedWriter: @unchecked Sendable {
  private var writer: any ResponseBodyWriter

  init(_ writer: any ResponseBodyWriter) { self.writer = writer }

  func write(_ buffer: ByteBuffer) async throws { try await writer.write(buffer) }
}
