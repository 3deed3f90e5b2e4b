/// The updates of a runtime from the moment this was made, in order and without gaps; for one reader.
///
/// A reader that stops reading without releasing this holds up the event stream once 1 024 updates wait.
public struct ResolveKitRuntimeUpdates: AsyncSequence, Sendable {
  public typealias Element = ResolveKitRuntimeUpdate
  public typealias Failure = Never

  private let handle: Handle

  init(_ channel: UpdateChannel) {
    handle = Handle(channel)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

  /// Returns once the reader is done with all that was sent before this call.
  package func caughtUp() async { await handle.channel.caughtUp() }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let handle: Handle

    public mutating func next() async -> ResolveKitRuntimeUpdate? {
      await handle.channel.next()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> ResolveKitRuntimeUpdate? {
      await handle.channel.next()
    }
  }

  /// Finishes the channel when the last copy is gone.
  fileprivate final class Handle: Sendable {
    let channel: UpdateChannel

    init(_ channel: UpdateChannel) { self.channel = channel }
    deinit { channel.finish() }
  }
}
