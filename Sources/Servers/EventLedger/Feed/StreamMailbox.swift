import Synchronization

/// The next letter of one event stream: the events of a reader, a beat, the end.
///
/// One task puts events in and waits while there is no room, so that a slow client slows its own reader alone; one task
/// takes them out.
package final class StreamMailbox: Sendable {
  /// The next thing to write.
  package enum Letter: Sendable {
    case events([LedgerEvent])
    /// Nothing happened for a while: the client is to see that the stream lives.
    case beat
    case end
  }

  fileprivate struct State {
    var events: [LedgerEvent] = []
    var bytes = 0
    var isBeatDue = false
    var isOver = false
    var taker: CheckedContinuation<Letter, Never>?
    var putter: CheckedContinuation<Void, Never>?
  }

  /// Events, and payload bytes, from which on a reader waits.
  private static let room = 64
  private static let roomBytes = 1 << 20

  private let state = Mutex(State())

  package init() {}

  /// Takes an event; returns when there is room for the next.
  package func put(_ event: LedgerEvent) async {
    change { state in
      state.events.append(event)
      state.bytes += event.payload.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          guard state.events.count >= Self.room || state.bytes >= Self.roomBytes, !state.isOver, !Task.isCancelled
          else { return true }
          state.putter = continuation
          return false
        }
        if hasRoom { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.putter.take() }?.resume()
    }
  }

  /// Has a sign of life written, where no event is.
  package func beat() { change { $0.isBeatDue = true } }

  /// Ends the stream; what was put in before is not written any more.
  package func end() {
    change { $0.isOver = true }
    state.withLock { $0.putter.take() }?.resume()
  }

  /// The next letter; one task asks at a time. A cancelled task is told the end.
  package func next() async -> Letter {
    let letter = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let letter = state.withLock { state in
          state.taker = continuation
          return state.takeLetter()
        }
        if let letter { continuation.resume(returning: letter) }
      }
    } onCancel: {
      end()
    }
    state.withLock { $0.putter.take() }?.resume()
    return letter
  }

  private func change(_ body: (inout State) -> Void) {
    let delivery = state.withLock { state -> (CheckedContinuation<Letter, Never>, Letter)? in
      body(&state)
      guard let taker = state.taker, let letter = state.takeLetter() else { return nil }
      return (taker, letter)
    }
    if let (taker, letter) = delivery { taker.resume(returning: letter) }
  }
}

extension StreamMailbox.State {
  /// The letter for the taker, who is none any more then.
  fileprivate mutating func takeLetter() -> StreamMailbox.Letter? {
    let letter: StreamMailbox.Letter
    if isOver {
      letter = .end
    } else if !events.isEmpty {
      letter = .events(events)
      events = []
      bytes = 0
    } else if isBeatDue {
      letter = .beat
    } else {
      return nil
    }
    isBeatDue = false
    taker = nil
    return letter
  }
}
