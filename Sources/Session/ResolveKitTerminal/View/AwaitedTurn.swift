import ResolveKitCore
import ResolveKitSession

/// The turn in progress, and the one that waits for its end.
@MainActor
final class AwaitedTurn {
  private(set) var isInProgress = false
  /// Whether the turn is one of this view's own messages.
  private(set) var isOwn = false
  /// The obstacle of the newest message.
  private(set) var delivery: ResolveKitMessageDelivery?
  private var ended: [ResolveKitFinishedTurn] = []
  private var waiter: CheckedContinuation<ResolveKitFinishedTurn?, Never>?

  /// The turn that ended last, since the newest message was sent.
  var last: ResolveKitFinishedTurn? { ended.last }

  /// Begins the turn of a message that is about to be sent.
  func beginOwn() {
    isInProgress = true
    isOwn = true
    ended = []
  }

  /// The wait for an own message is over.
  func endOwn() { isOwn = false }

  /// There was no message to send.
  func withdraw() { isInProgress = false }

  /// A turn has started, whether of an own message or of an earlier process's.
  func start() {
    isInProgress = true
    delivery = nil
  }

  func report(_ delivery: ResolveKitMessageDelivery) { self.delivery = delivery }

  /// Ends the turn; nil where the runtime ended before it.
  func end(_ turn: ResolveKitFinishedTurn?) {
    isInProgress = false
    if let turn { ended.append(turn) }
    waiter?.resume(returning: turn)
    waiter = nil
  }

  /// Returns the first turn that ended since the newest message was sent; nil when the runtime ended before.
  func waitForEnd() async -> ResolveKitFinishedTurn? {
    await withCheckedContinuation { waiter in
      if let turn = ended.first { waiter.resume(returning: turn) } else { self.waiter = waiter }
    }
  }
}
