import EventStream
import ResolveKitCore
import StreamTransport

/// The updates of one session's stream; each iteration opens a stream of its own.
///
/// Asking for the next update says that the one before is applied: only then does the cursor move past it. So an
/// attempt after a lost connection asks for what follows the last event that had its effect, never for less.
public struct ResolveKitEventStream: AsyncSequence, Sendable {
  public typealias Element = ResolveKitStreamUpdate

  let updates: EventSourceUpdates
  let onHeartbeat: (@Sendable () -> Void)?

  public func makeAsyncIterator() -> Iterator {
    Iterator(source: updates.makeAsyncIterator(), onHeartbeat: onHeartbeat)
  }

  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private var source: EventSourceUpdates.Iterator
    private let onHeartbeat: (@Sendable () -> Void)?
    /// Attempts since the stream was last open.
    private var attempt = 0
    /// The server's code of the refusal that ended the stream: the thrown error's cases have no place for it.
    package private(set) var refusalCode: String?

    init(source: EventSourceUpdates.Iterator, onHeartbeat: (@Sendable () -> Void)?) {
      self.source = source
      self.onHeartbeat = onHeartbeat
    }

    /// Throws ``ResolveKitAPIClientError`` for a status that trying again won't change, `TransportError` for a
    /// connection that can't be made at all, such as one whose certificate is refused.
    public mutating func next() async throws -> ResolveKitStreamUpdate? {
      do {
        while let update = try await source.next() {
          if let update = translate(update) { return update }
        }
        return nil
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

    /// Nil for what no session cares about.
    private mutating func translate(_ update: EventSourceUpdate) -> ResolveKitStreamUpdate? {
      switch update {
      case .connecting:
        attempt += 1
        return .connecting(attempt: attempt)
      case .opened(let connection):
        attempt = 0
        return .opened(connection)
      case .event(let event, let arrivedAt):
        onHeartbeat?()
        return .event(event, arrivedAt: arrivedAt)
      case .comment, .idCommitted:
        onHeartbeat?()
        return nil
      case .disconnected(let reason, let isClean, let retryIn):
        return .disconnected(reason: reason.description, isClean: isClean, retryIn: retryIn)
      }
    }
  }
}
