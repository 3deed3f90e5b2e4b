/// The events of a turn, in order.
final class TurnMailbox: Sendable {
  /// An event, and who waits until it was taken.
  struct Letter: Sendable {
    let event: TurnCourse.Event
    let sender: CheckedContinuation<Void, Never>?
  }

  let letters: AsyncStream<Letter>
  private let sink: AsyncStream<Letter>.Continuation

  init() { (letters, sink) = AsyncStream.makeStream() }

  func post(_ event: TurnCourse.Event) { sink.yield(Letter(event: event, sender: nil)) }

  /// Returns when the event was taken and all that follows from it was done, or nobody takes any more.
  func deliver(_ event: TurnCourse.Event) async {
    await withCheckedContinuation { continuation in
      if case .terminated = sink.yield(Letter(event: event, sender: continuation)) { continuation.resume() }
    }
  }

  func close() { sink.finish() }
}
