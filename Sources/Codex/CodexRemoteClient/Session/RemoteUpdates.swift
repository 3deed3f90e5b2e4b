import Synchronization

/// The updates of a chat from the moment this was made, in order; for one reader.
///
/// A reader that falls far behind receives ``RemoteUpdate/resynchronized`` in the place of what it missed.
public struct RemoteUpdates: AsyncSequence, Sendable {
  public typealias Element = RemoteUpdate
  public typealias Failure = Never

  private let handle: Handle

  init(_ channel: RemoteUpdateChannel) { handle = Handle(channel: channel) }

  public func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

  /// Reads the updates.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let handle: Handle

    public mutating func next() async -> RemoteUpdate? { await handle.channel.next() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> RemoteUpdate? {
      await handle.channel.next()
    }
  }

  /// Ends the channel when the last copy is gone.
  fileprivate final class Handle: Sendable {
    let channel: RemoteUpdateChannel

    init(channel: RemoteUpdateChannel) { self.channel = channel }
    deinit { channel.finish() }
  }
}

/// The updates that one reader has not taken; never more than so many.
final class RemoteUpdateChannel: Sendable {
  static let limit = 4_096

  private struct State {
    var waiting: [RemoteUpdate] = []
    var isFinished = false
    var reader: CheckedContinuation<RemoteUpdate?, Never>?
  }

  private let state = Mutex(State())

  /// Whether anybody may still read.
  var isOpen: Bool { state.withLock { !$0.isFinished } }

  func put(_ update: RemoteUpdate) {
    let reader = state.withLock { state -> CheckedContinuation<RemoteUpdate?, Never>? in
      guard !state.isFinished else { return nil }
      if let reader = state.reader.take() { return reader }
      if state.waiting.count >= Self.limit { state.waiting = [.resynchronized] }
      state.waiting.append(update)
      return nil
    }
    reader?.resume(returning: update)
  }

  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }

  /// The next update; nil at the end, and for a task that is cancelled.
  func next() async -> RemoteUpdate? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, overtaken) = state.withLock {
          state -> (RemoteUpdate??, CheckedContinuation<RemoteUpdate?, Never>?) in
          if !state.waiting.isEmpty { return (.some(state.waiting.removeFirst()), nil) }
          if state.isFinished || Task.isCancelled { return (.some(nil), nil) }
          let overtaken = state.reader
          state.reader = continuation
          return (nil, overtaken)
        }
        overtaken?.resume(returning: nil)
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(returning: nil)
    }
  }
}

/// Copies each update to every reader.
final class RemoteUpdateHub: Sendable {
  private let channels = Mutex<[RemoteUpdateChannel]>([])

  func updates() -> RemoteUpdates {
    let channel = RemoteUpdateChannel()
    channels.withLock { $0.append(channel) }
    return RemoteUpdates(channel)
  }

  func report(_ update: RemoteUpdate) {
    let open = channels.withLock { channels in
      channels.removeAll { !$0.isOpen }
      return channels
    }
    for channel in open { channel.put(update) }
  }

  func finish() {
    for channel in channels.withLock({ $0 }) { channel.finish() }
  }
}
