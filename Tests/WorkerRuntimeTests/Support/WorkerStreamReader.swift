import EventStream
import Hummingbird
import ResolveKitCore

@testable import WorkerRuntime

/// Reads an event stream's items as they come; leaving it cancels the response.
final class WorkerStreamReader: Sendable {
  private let task: Task<Void, Never>
  private let items: AsyncStream<EventStreamItem>

  init(_ response: Response) {
    let (items, sink) = AsyncStream<EventStreamItem>.makeStream()
    let (chunks, chunkSink) = AsyncStream<[UInt8]>.makeStream()
    let body = response.body
    task = Task {
      try? await body.write(CollectingWriter { chunkSink.yield($0) })
      chunkSink.finish()
    }
    Task {
      var parser = EventStreamParser()
      for await chunk in chunks {
        for item in (try? parser.parse(chunk)) ?? [] { sink.yield(item) }
      }
      sink.finish()
    }
    self.items = items
  }

  deinit { task.cancel() }

  /// The next events' sequence numbers.
  func sequences(_ count: Int) async -> [Int] {
    var numbers: [Int] = []
    var iterator = items.makeAsyncIterator()
    while numbers.count < count, let item = await iterator.next() {
      if case .event(let event) = item { numbers.append(Int(event.lastEventID) ?? -1) }
    }
    return numbers
  }

  /// The next event's envelope.
  func event() async throws -> JSONValue {
    var iterator = items.makeAsyncIterator()
    while let item = await iterator.next() {
      if case .event(let event) = item { return try JSONValue(parsing: event.data) }
    }
    return .null
  }

  /// The next comment.
  func comment() async -> Bool {
    var iterator = items.makeAsyncIterator()
    while let item = await iterator.next() {
      if case .comment = item { return true }
    }
    return false
  }

  func leave() { task.cancel() }

  /// Returns when the response has been written to its end.
  func waitForEnd() async { await task.value }
}
