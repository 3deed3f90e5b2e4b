/// The position of a reader in its stream, with the events that it has read ahead.
package struct FeedCursor: Sendable {
  /// The knowledge of the position.
  package enum Standing: Sendable {
    /// It came with the reader, and may be outside the stream.
    case claimed
    /// The stream has, or had, an event there.
    case reached
    /// A read has found nothing after it.
    case atEnd
  }

  private enum Progress {
    /// Events to take, the last one first.
    case page([LedgerEvent])
    case none(Standing)
  }

  /// The sequence number of the last event taken.
  package private(set) var position: Int64
  private var progress = Progress.none(.claimed)

  package init(after position: Int64) {
    self.position = position
  }

  package var standing: Standing {
    switch progress {
    case .page: .reached
    case .none(let standing): standing
    }
  }

  /// The next event of the page; nil where there is none left.
  package mutating func takeFromPage() -> LedgerEvent? {
    guard case .page(var events) = progress else { return nil }
    progress = .none(.reached)
    guard let event = events.popLast() else { return nil }
    progress = .page(events)
    position = event.sequence
    return event
  }

  /// The rest of the page, in order.
  package mutating func takePage() -> [LedgerEvent] {
    guard case .page(let events) = progress, let last = events.first else { return [] }
    progress = .none(.reached)
    position = last.sequence
    return events.reversed()
  }

  /// Takes the events after the cursor, which the feed offers or a read found; none where the stream ends there.
  package mutating func read(_ page: [LedgerEvent]) {
    progress = page.isEmpty ? .none(.atEnd) : .page(page.reversed())
  }

  /// A wait is over: there may be something after the cursor, or the stream is not what it was.
  package mutating func wake() { progress = .none(.claimed) }
}
