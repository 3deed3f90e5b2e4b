import HTTP3Engine
import Synchronization

/// A body's bytes on their way from the task that writes them to the loop that sends them.
///
/// The task continues while the loop sends, so that a chunk costs no switch of threads, and what waits by then leaves in
/// full datagrams of one batch: a batch of its own for each chunk's rest is one more wake-up for the receiver.
final class BodyOutbox: Sendable {
  private enum Phase {
    /// The message's fields were not sent.
    case notBegun
    case open
    /// There is no more; with the error for writers.
    case ended(any Error)
  }

  private struct State {
    var phase = Phase.notBegun
    var chunks: [[UInt8]] = []
    /// Bytes of the chunks, and bytes that waited in the engine when the loop last looked.
    var waiting = 0
    var buffered = 0
    var isLoopTold = false
    var rooms: [OneShot<Void>] = []
  }

  private let state = Mutex(State())
  private let target: Int
  private let tellLoop: @Sendable () -> Void

  /// - Parameters:
  ///   - target: bytes that may wait to be acknowledged before a writer waits.
  ///   - tellLoop: called when there is something to take; not again before it was taken.
  init(target: Int, tellLoop: @escaping @Sendable () -> Void) {
    self.target = target
    self.tellLoop = tellLoop
  }

  /// Takes bytes, and waits while as many as the target wait to be acknowledged. Throws what the body has ended with, and
  /// `CancellationError` where the wait is cancelled.
  func write(_ bytes: [UInt8]) async throws {
    let (isNews, room) = try state.withLock { state throws -> (Bool, OneShot<Void>?) in
      switch state.phase {
      case .open: break
      case .notBegun:
        throw TransportError(HTTP3Error(.invalidMessage, "A body comes after the message's fields."))
      case .ended(let error): throw error
      }
      state.chunks.append(bytes)
      state.waiting += bytes.count
      let isNews = !state.isLoopTold
      state.isLoopTold = true
      guard state.waiting + state.buffered >= target else { return (isNews, nil) }
      let room = OneShot<Void>()
      state.rooms.append(room)
      return (isNews, room)
    }
    if isNews { tellLoop() }
    try await room?.value()
  }

  /// What the body has ended with before its end, if it has.
  var failure: TransportError? {
    state.withLock { state in
      if case .ended(let error) = state.phase { error as? TransportError } else { nil }
    }
  }

  // MARK: The loop's calls

  /// The fields were sent: bytes may follow.
  func begin() {
    state.withLock { state in
      if case .notBegun = state.phase { state.phase = .open }
    }
  }

  /// The chunks that wait, in order.
  func takeAll() -> [[UInt8]] {
    state.withLock { state in
      defer {
        state.chunks = []
        state.waiting = 0
        state.isLoopTold = false
      }
      return state.chunks
    }
  }

  /// `count` bytes wait in the engine; writers continue if that leaves room.
  func engineHolds(_ count: Int) {
    let rooms = state.withLock { state -> [OneShot<Void>] in
      state.buffered = count
      guard state.waiting + count < target else { return [] }
      defer { state.rooms = [] }
      return state.rooms
    }
    for room in rooms { room.answer(.success(())) }
  }

  /// Takes no more, gracefully: what writers wait for still comes.
  func finish() {
    state.withLock { state in
      guard case .open = state.phase else { return }
      state.phase = .ended(TransportError(HTTP3Error(.streamClosed, "The message was finished; it takes no more.")))
    }
  }

  /// Drops what waits and fails all writers; the first reason stands.
  func fail(_ error: any Error) {
    let rooms = state.withLock { state -> [OneShot<Void>] in
      if case .ended = state.phase {} else { state.phase = .ended(error) }
      state.chunks = []
      state.waiting = 0
      defer { state.rooms = [] }
      return state.rooms
    }
    for room in rooms { room.answer(.failure(error)) }
  }
}
