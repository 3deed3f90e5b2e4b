/// The events of a stream after a cursor, those to come too.
///
/// Ends when the stream is deleted, and when the feed is closed and all was read. Throws ``LedgerError``: `trimmed` where events behind the cursor
/// were dropped, be it later, while a slow reader lagged; `cursorAhead` where the stream ends before the cursor;
/// `unknownStream`, `exhausted` and `database`. After an error, follow again from the last event's sequence number.
/// Throws `CancellationError` where the reading task was cancelled.
package struct FollowedStream: AsyncSequence, Sendable {
  let feed: LedgerFeed
  let stream: String
  let cursor: Int64

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: feed, stream: stream, cursor: cursor) }

  /// One reader.
  package struct AsyncIterator: AsyncIteratorProtocol {
    private enum State {
      case begun(LedgerFeed, stream: String)
      case reading(ReaderPlace)
      case over
    }

    private var state: State
    private var cursor: FeedCursor

    fileprivate init(feed: LedgerFeed, stream: String, cursor: Int64) {
      state = .begun(feed, stream: stream)
      self.cursor = FeedCursor(after: cursor)
    }

    package mutating func next() async throws -> LedgerEvent? {
      do {
        if let event = try await advance() { return event }
      } catch let error as LedgerError where error.code == .deletedStream {
        // The end.
      } catch {
        state = .over
        throw error
      }
      state = .over
      return nil
    }

    /// The next event and those behind it that are there already; nil at the end.
    package mutating func nextPage() async throws -> [LedgerEvent]? {
      guard let first = try await next() else { return nil }
      return [first] + cursor.takePage()
    }

    private mutating func advance() async throws -> LedgerEvent? {
      guard let place = try takePlace() else { return nil }
      while true {
        try Task.checkCancellation()
        if let event = cursor.takeFromPage() { return event }
        switch place.feed.offer(place.seat, after: cursor.position, cursor.standing) {
        case .events(let events): cursor.read(events)
        case .read: cursor.read(try await place.feed.page(place.seat.stream, after: cursor.position))
        case .wait:
          await place.feed.wait(place.seat, after: cursor.position, cursor.standing)
          cursor.wake()
        case .end: return nil
        }
      }
    }

    private mutating func takePlace() throws -> ReaderPlace? {
      switch state {
      case .begun(let feed, let stream):
        let place = try ReaderPlace(feed, stream)
        state = .reading(place)
        return place
      case .reading(let place): return place
      case .over: return nil
      }
    }
  }
}

/// A reader's seat, which is free again when this is gone.
private final class ReaderPlace: Sendable {
  let feed: LedgerFeed
  let seat: FeedSeat

  init(_ feed: LedgerFeed, _ stream: String) throws {
    seat = try feed.sit(stream)
    self.feed = feed
  }

  deinit { feed.rise(seat) }
}
