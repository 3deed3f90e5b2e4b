import ResolveKitNetworking

/// The one event stream of the session, and the task that reads it.
struct StreamReader {
  private struct Reading {
    let stream: ResolveKitEventStream.Iterator
    let task: Task<Void, Never>
  }

  /// The shortest time between two attempts, whichever stream they are of.
  private static let floor = Duration.seconds(1)

  private var reading: Reading?
  private var attemptedAt: Duration?
  /// Attempts since the stream was last open.
  private var attempts = 0

  /// An attempt begins. Returns its number, from 1 since the stream was last open.
  mutating func attempted(at now: Duration) -> Int {
    attemptedAt = now
    attempts += 1
    return attempts
  }

  /// The attempt has succeeded.
  mutating func opened() { attempts = 0 }

  /// The wait before a new stream: a server that refuses each one is not asked in a row.
  func wait(at now: Duration) -> Duration {
    attemptedAt.map { max(.zero, $0 + Self.floor - now) } ?? .zero
  }

  /// Keeps the stream and its reader in place of the ones before, which are closed.
  mutating func open(_ stream: ResolveKitEventStream.Iterator, readBy task: Task<Void, Never>) {
    close()
    attempts = 0
    reading = Reading(stream: stream, task: task)
  }

  /// Cancels the reader. Returns its task, which may yet be on its way out.
  @discardableResult
  mutating func close() -> Task<Void, Never>? {
    let task = reading?.task
    task?.cancel()
    reading = nil
    return task
  }

  /// Ends the time until the next attempt, as far as the server's orders let it.
  func retryNow() async { await reading?.stream.retryNow() }
}
