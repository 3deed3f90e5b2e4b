/// The sends of a chat, one after the other in the order in which they began.
struct SendQueue: Sendable {
  /// A place in the queue.
  struct Place: Sendable {
    fileprivate let before: Task<Void, Never>?
    fileprivate let finish: AsyncStream<Never>.Continuation

    /// Waits until those before it have ended.
    func turn() async { await before?.value }

    /// The next one may go; to be called once.
    func end() { finish.finish() }
  }

  private var last: Task<Void, Never>?

  mutating func begin() -> Place {
    let (done, finish) = AsyncStream.makeStream(of: Never.self)
    let place = Place(before: last, finish: finish)
    last = Task { for await _ in done {} }
    return place
  }
}
