import EventStream
import ResolveKitCore
public import StreamTransport

/// The updates of one session's stream; each iteration opens a stream of its own.
///
/// Asking for the next update says that the one before is applied: only then does the cursor move past it. So an
/// attempt after a lost connection asks for what follows the last event that had its effect, never for less.
public struct ResolveKitEventStream: AsyncSequence, Sendable {
  public typealias Element = EventSourceUpdate

  let updates: EventSourceUpdates
  let onHeartbeat: (@Sendable () -> Void)?

  public func makeAsyncIterator() -> Iterator {
    Iterator(source: updates.makeAsyncIterator(), onHeartbeat: onHeartbeat)
  }

  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private var source: EventSourceUpdates.Iterator
    private let onHeartbeat: (@Sendable () -> Void)?
    /// The server's code of the refusal that ended the stream: the thrown error's cases have no place for it.
    package private(set) var refusalCode: String?

    init(source: EventSourceUpdates.Iterator, onHeartbeat: (@Sendable () -> Void)?) {
      self.source = source
      self.onHeartbeat = onHeartbeat
    }

    /// Throws ``ResolveKitAPIClientError`` for a status that trying again won't change, `TransportError` for a
    /// connection that can't be made at all, such as one whose certificate is refused.
    public mutating func next() async throws -> EventSourceUpdate? {
      do {
        guard let update = try await source.next() else { return nil }
        switch update {
        case .event, .comment, .idCommitted: onHeartbeat?()
        case .connecting, .opened, .disconnected: break
        }
        return update
      } catch EventSourceError.status(let code, let body) {
        let failure = RequestFailure(status: code, body: body)
        refusalCode = failure.code
        throw ResolveKitAPIClientError(failure)
      } catch EventSourceError.transport(let error) {
        throw error
      }
    }

    /// Ends the time until the next attempt as far as the server's orders let it; from any task, on a copy.
    public func retryNow() async {
      await source.retryNow()
    }
  }
}
