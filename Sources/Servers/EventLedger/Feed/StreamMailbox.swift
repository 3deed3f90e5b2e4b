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
    /// Bytes that were taken and are being written.
    var taken = 0
    /// The number under which the budget knows the mailbox, and the steps that it was told.
    var share: Int?
    var steps = 0
    var isBeatDue = false
    var ending = Ending.none
    var taker: CheckedContinuation<Void, Never>?
    var putter: CheckedContinuation<Void, Never>?
    var watcher: CheckedContinuation<Void, Never>?
  }

  /// Events, and payload bytes, behind which a reader waits.
  fileprivate static let room = 64
  fileprivate static let roomBytes = 256 << 10

  private let state = Mutex(State())

  private let budget: StreamBudget?

  /// - Parameter budget: counts what this and other mailboxes hold, and ends this one where all hold too much; nil for none.
  package init(budget: StreamBudget? = nil) {
    self.budget = budget
    let share = budget?.join { [weak self] in self?.end() }
    state.withLock { $0.share = share }
  }

  deinit {
    if let share = state.withLock({ $0.share }) { budget?.leave(share) }
  }

  /// Takes an event as soon as there is room for it, or nothing else.
  package func put(_ event: LedgerEvent) async { await put([event]) }

  /// Takes a page of events, to be written in one piece, as soon as there is room for it, or nothing else.
  package func put(_ page: [LedgerEvent]) async {
    let bytes = page.reduce(0) { $0 + $1.payload.count }
    while !page.isEmpty {
      let isDone = change { state in
        // Nobody takes it any more.
        if case .atOnce = state.ending { return true }
        guard state.hasRoom(for: page.count, bytes: bytes) else { return false }
        state.events += page
        state.bytes += bytes
        return true
      }
      charge()
      if isDone || Task.isCancelled { return }
      await waitForRoom(for: page.count, bytes: bytes)
    }
  }

  private func waitForRoom(for count: Int, bytes: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          guard !state.hasRoom(for: count, bytes: bytes), !Task.isCancelled else { return true }
          state.putter = continuation
          return false
        }
        if hasRoom { continuation.resume() } else { charge() }
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
    change { state in
      state.ending = .atOnce
      state.events = []
      state.bytes = 0
    }
    let (putter, watcher) = state.withLock { ($0.putter.take(), $0.watcher.take()) }
    putter?.resume()
    watcher?.resume()
  }

  /// Returns when the stream was ended by ``end()``, or the task is cancelled; one task asks.
  package func ended() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.ending != .atOnce, !Task.isCancelled else { return false }
          state.watcher = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watcher.take() }?.resume()
    }
  }

  /// The next letter, once the last one is written; one task asks at a time. A cancelled task gets the end.
  package func next() async -> Letter {
    state.withLock { $0.taken = 0 }
    charge()
    defer { charge() }
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

  /// Tells the budget what is held.
  private func charge() {
    guard let budget else { return }
    // Under the lock, so that of two charges the later one counts: a reader and its writer make them.
    let ends = state.withLock { state -> [@Sendable () -> Void] in
      let steps = state.held / StreamBudget.step
      guard let share = state.share, steps != state.steps else { return [] }
      state.steps = steps
      return budget.charge(share, steps: steps)
    }
    for end in ends { end() }
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
  fileprivate func hasRoom(for count: Int, bytes: Int) -> Bool {
    switch ending {
    case .none:
      events.isEmpty
        || (events.count + count <= StreamMailbox.room && self.bytes + bytes <= StreamMailbox.roomBytes)
    case .inOrder, .atOnce: true
    }
  }

  /// The bytes that the stream holds, about: what is being written is there as events and as text, and where the reader
  /// waits it has a page.
  fileprivate var held: Int { bytes + 2 * taken + (putter == nil ? 0 : LedgerLimits.pageBytes) }

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
        taken = bytes
        bytes = 0
      }
      return .events(events)
    }
    if case .inOrder = ending { return .end }
    return isBeatDue ? .beat : nil
  }
}
