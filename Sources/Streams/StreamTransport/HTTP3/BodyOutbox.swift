import HTTP3Engine
import Synchronization

/// A message's fields, bytes and end on their way from the task that writes them to the loop that sends them.
///
/// The task continues while the loop sends, so that a chunk costs no switch of threads, and what waits by then leaves in
/// full datagrams of one batch: a batch of its own for each chunk's rest is one more wake-up for the receiver.
final class BodyOutbox: Sendable {
  /// A part of a message that was written since the last one was taken; its fields come first, its end last.
  struct Written: Equatable {
    /// Whether 100 (Continue) comes before the fields.
    var asksForBody = false
    var fields: [HeaderField]?
    var chunks: [[UInt8]] = []
    var end: End?

    var isEmpty: Bool { !asksForBody && fields == nil && chunks.isEmpty && end == nil }
  }

  /// A message's end, with the trailers that are to be sent before it.
  struct End: Equatable {
    var trailers: [HeaderField]?
  }

  private enum Phase {
    /// The message has no fields yet.
    case notBegun
    case open
    /// The owner has written its end.
    case finished
    /// There is no more; with the error for writers.
    case failed(any Error)
  }

  private struct State {
    var phase = Phase.notBegun
    var written = Written()
    /// Bytes of the chunks, and bytes that waited in the engine when the loop last looked.
    var waiting = 0
    var buffered = 0
    var isLoopTold = false
    var rooms: [OneShot<Void>] = []

    /// Whether the loop has to be told that there is something to take.
    mutating func isNews() -> Bool {
      defer { isLoopTold = true }
      return !isLoopTold
    }
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

  /// Has 100 (Continue) sent, unless the message has its fields already, or has ended.
  func askForBody() {
    let isNews = state.withLock { state in
      guard case .notBegun = state.phase else { return false }
      state.written.asksForBody = true
      return state.isNews()
    }
    if isNews { tellLoop() }
  }

  /// Takes the message's fields, once; bytes may follow. Throws what the message has ended with.
  func begin(_ fields: [HeaderField]) throws {
    let isNews = try state.withLock { state throws -> Bool in
      switch state.phase {
      case .notBegun: break
      case .open: throw TransportError(HTTP3Error(.invalidMessage, "A request has one final response."))
      case .finished: throw Self.isFinished
      case .failed(let error): throw error
      }
      state.phase = .open
      state.written.fields = fields
      return state.isNews()
    }
    if isNews { tellLoop() }
  }

  /// Takes bytes, and waits while as many as the target wait to be acknowledged. Throws what the body has ended with, and
  /// `CancellationError` where the wait is cancelled.
  func write(_ bytes: [UInt8]) async throws {
    let (isNews, room) = try state.withLock { state throws -> (Bool, OneShot<Void>?) in
      switch state.phase {
      case .open: break
      case .notBegun: throw Self.fieldsAreMissing
      case .finished: throw Self.isFinished
      case .failed(let error): throw error
      }
      state.written.chunks.append(bytes)
      state.waiting += bytes.count
      let isNews = state.isNews()
      guard state.waiting + state.buffered >= target else { return (isNews, nil) }
      let room = OneShot<Void>()
      state.rooms.append(room)
      return (isNews, room)
    }
    if isNews { tellLoop() }
    try await room?.value()
  }

  /// Takes the message's end, after which there is no more. Throws what it has ended with before.
  func finish(_ trailers: [HeaderField]?) throws {
    let isNews = try state.withLock { state throws -> Bool in
      switch state.phase {
      case .open: break
      case .notBegun: throw Self.fieldsAreMissing
      case .finished: throw Self.isFinished
      case .failed(let error): throw error
      }
      state.phase = .finished
      state.written.end = End(trailers: trailers)
      return state.isNews()
    }
    if isNews { tellLoop() }
  }

  /// What the body has ended with before its end, if it has.
  var failure: TransportError? {
    state.withLock { state in
      if case .failed(let error) = state.phase { error as? TransportError } else { nil }
    }
  }

  private static var fieldsAreMissing: TransportError {
    TransportError(HTTP3Error(.invalidMessage, "A body comes after the message's fields."))
  }

  private static var isFinished: TransportError {
    TransportError(HTTP3Error(.streamClosed, "The message was finished; it takes no more."))
  }

  // MARK: The loop's calls

  /// The fields were sent by the loop itself: bytes may follow.
  func begin() {
    state.withLock { state in
      if case .notBegun = state.phase { state.phase = .open }
    }
  }

  /// All that waits.
  func takeAll() -> Written {
    state.withLock { state in
      defer {
        state.written = Written()
        state.waiting = 0
        state.isLoopTold = false
      }
      return state.written
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

  /// Drops what waits and fails all writers; the first reason stands.
  func fail(_ error: any Error) {
    let rooms = state.withLock { state -> [OneShot<Void>] in
      switch state.phase {
      case .notBegun, .open: state.phase = .failed(error)
      case .finished, .failed: break
      }
      state.written = Written()
      state.waiting = 0
      defer { state.rooms = [] }
      return state.rooms
    }
    for room in rooms { room.answer(.failure(error)) }
  }
}
