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

  fileprivate enum Ending {
    case none
    /// Behind the events that were put in.
    case inOrder
    case atOnce
  }

  fileprivate struct State {
    var events: [LedgerEvent] = []
    var bytes = 0
    var isBeatDue = false
    var ending = Ending.none
    var taker: CheckedContinuation<Void, Never>?
    var putter: CheckedContinuation<Void, Never>?
  }

  /// Events, and payload bytes, from which on a reader waits.
  fileprivate static let room = 64
  fileprivate static let roomBytes = 256 << 10

  private let state = Mutex(State())

  package init() {}

  /// Takes an event; returns when there is room for the next.
  package func put(_ event: LedgerEvent) async {
    let hasRoom = change { state in
      state.events.append(event)
      state.bytes += event.payload.count
      return state.hasRoom
    }
    if hasRoom { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          guard !state.hasRoom, !Task.isCancelled else { return true }
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

  /// Ends the stream after what was put in before.
  package func finish() { change { if case .none = $0.ending { $0.ending = .inOrder } } }

  /// Ends the stream; what was put in before is not written any more.
  package func end() {
    change { $0.ending = .atOnce }
    state.withLock { $0.putter.take() }?.resume()
  }

  /// The next letter; one task asks at a time. A cancelled task gets the end.
  package func next() async -> Letter {
    while true {
      let (letter, putter) = state.withLock { state in
        let letter = state.takeLetter()
        return (letter, letter == nil ? nil : state.putter.take())
      }
      putter?.resume()
      if let letter { return letter }
      await wait()
    }
  }

  /// Returns when there may be a letter. It is taken by the one who waited and not handed to it: what is put in before that
  /// one runs goes with it.
  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard !state.hasLetter else { return false }
          state.taker = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      end()
    }
  }

  @discardableResult
  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, taker) = state.withLock { state in
      let value = body(&state)
      return (value, state.hasLetter ? state.taker.take() : nil)
    }
    taker?.resume()
    return value
  }
}

extension StreamMailbox.State {
  fileprivate var hasRoom: Bool {
    switch ending {
    case .none: events.count < StreamMailbox.room && bytes < StreamMailbox.roomBytes
    case .inOrder, .atOnce: true
    }
  }

  fileprivate var hasLetter: Bool {
    switch ending {
    case .none: !events.isEmpty || isBeatDue
    case .inOrder, .atOnce: true
    }
  }

  fileprivate mutating func takeLetter() -> StreamMailbox.Letter? {
    if case .atOnce = ending { return .end }
    defer { isBeatDue = false }
    if !events.isEmpty {
      defer {
        events = []
        bytes = 0
      }
      return .events(events)
    }
    if case .inOrder = ending { return .end }
    return isBeatDue ? .beat : nil
  }
}
