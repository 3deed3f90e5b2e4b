/// The move of an event source's stream to a connection that serves better, without a gap: a new stream is opened beside
/// the old one, with the cursor of what was dealt with, and nothing of the old one is delivered from then on unless that
/// fails.
struct StreamMove<Stream: Sendable>: Sendable {
  /// Waits for the pause and then for something better, and reports it.
  typealias Watch = @Sendable (_ pause: Duration) async -> Void

  /// Waits for something better than the open stream's connection.
  private var watcher: Task<Void, Never>?
  /// Opens the stream again beside the one that is open; nil while there is no move.
  private(set) var opening: Task<Stream?, Never>?
  /// Whether there is something better, and no move has begun for it.
  private(set) var isDue = false
  /// Between a move that failed and the next.
  private var pause = Self.firstPause

  private static var firstPause: Duration { .seconds(1) }
  private static var longestPause: Duration { .seconds(30) }

  /// Watches a stream that was opened just now.
  mutating func watchNew(_ watch: @escaping Watch) {
    pause = Self.firstPause
    start(watch, after: .zero)
  }

  /// Watches the old stream again, after a pause: the reason for a move that failed may be one again, or still.
  mutating func watchAgain(_ watch: @escaping Watch) {
    start(watch, after: pause)
    pause = min(pause * 2, Self.longestPause)
  }

  mutating func improvementCame() { isDue = true }

  /// Begins the move, unless one is on its way.
  mutating func begin(_ open: @escaping @Sendable () async -> Stream?) {
    isDue = false
    guard opening == nil else { return }
    opening = Task { await open() }
  }

  /// The outcome of the move was taken.
  mutating func end() { opening = nil }

  mutating func stop() {
    cancel()
    watcher = nil
    opening = nil
    isDue = false
  }

  func cancel() {
    watcher?.cancel()
    opening?.cancel()
  }

  private mutating func start(_ watch: @escaping Watch, after pause: Duration) {
    stop()
    watcher = Task { await watch(pause) }
  }
}
