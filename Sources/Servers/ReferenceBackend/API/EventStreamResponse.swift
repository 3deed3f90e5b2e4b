import Hummingbird
import NIOCore

/// Writes a session's events from a cursor on: those that are there in one burst, then each as it comes.
struct EventStreamResponse: Sendable {
  let sessionID: String
  let cursor: EventID
  let log: SessionLog
  let subscription: EventSubscription
  let settings: BackendSettings
  let faults: StreamFaults
  let clock: any Clock<Duration>

  /// Most events in one read of the log.
  private static let batch = 256

  var body: ResponseBody {
    // The guard goes with the closure: a response that is dropped unwritten leaves the feed too.
    let guardian = SubscriptionGuard(subscription)
    return ResponseBody { writer in
      defer { guardian.leave() }
      try await write(&writer)
      try await writer.finish(nil)
    }
  }

  private func write(_ writer: inout any ResponseBodyWriter) async throws {
    // Clients learn by it that the stream is open, before there is any event.
    try await writer.write(Self.comment("connected"))
    let keepAlive = Task { await beat() }
    let lifetime = Task { await expire() }
    defer {
      keepAlive.cancel()
      lifetime.cancel()
    }
    var position = LogPosition(after: cursor)
    while true {
      let page = try await log.page(of: sessionID, from: position, limit: Self.batch)
      if !page.events.isEmpty {
        let bytes = faults.apply(page.events).flatMap { $0.frame(settings.eventIDs) }
        if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        position = page.position
        // An event that came since the read is announced, or was read already.
        if page.events.count == Self.batch || page.isFull || !position.ahead.isEmpty { continue }
      }
      switch await subscription.next(after: position.cursor) {
      case .events: continue
      case .keepAliveDue: try await writer.write(Self.comment("keep-alive"))
      case .ended: return
      }
    }
  }

  /// A beat at every interval, events or not: it also finds out clients that left without a word.
  private func beat() async {
    while true {
      do { try await clock.sleep(for: settings.keepAlive) } catch { return }
      subscription.keepAlive()
    }
  }

  private func expire() async {
    do { try await clock.sleep(for: settings.streamLifetime) } catch { return }
    subscription.end()
  }

  private static func comment(_ text: String) -> ByteBuffer {
    ByteBuffer(string: ": \(text)\n\n")
  }
}

/// Takes a subscription off the feed when the stream ends or was never begun.
private final class SubscriptionGuard: Sendable {
  private let subscription: EventSubscription

  init(_ subscription: EventSubscription) { self.subscription = subscription }

  func leave() { subscription.cancel() }

  deinit { subscription.cancel() }
}
