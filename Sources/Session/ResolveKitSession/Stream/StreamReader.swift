import ResolveKitNetworking

/// The one event stream of the session, and the task that reads it.
struct StreamReader {
  private struct Reading {
    let stream: ResolveKitEventStream.Iterator
    let task: Task<Void, Never>
  }

  private var reading: Reading?

  /// Keeps the stream and its reader in place of the ones before, which are closed.
  mutating func open(_ stream: ResolveKitEventStream.Iterator, readBy task: Task<Void, Never>) {
    close()
    reading = Reading(stream: stream, task: task)
  }

  mutating func close() {
    reading?.task.cancel()
    reading = nil
  }

  /// Ends the time until the next attempt, as far as the server's orders let it.
  func hasten() async { await reading?.stream.hasten() }
}
