import EventStream
import Hummingbird
import ResolveKitCore
import Testing

/// Reads an event stream's items as they come; leaving it cancels the response.
struct EventReader {
  private let task: Task<Void, Never>
  private var items: AsyncStream<EventStreamItem>.Iterator
  private let leave: Leave

  private final class Leave: Sendable {
    let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  init(_ body: Hummingbird.ResponseBody) {
    let (items, sink) = AsyncStream<EventStreamItem>.makeStream()
    let (chunks, chunkSink) = AsyncStream<[UInt8]>.makeStream()
    let task = Task {
      try? await body.write(ClosureBodyWriter { chunkSink.yield($0) })
      chunkSink.finish()
    }
    Task {
      var parser = EventStreamParser()
      for await chunk in chunks {
        for item in (try? parser.parse(chunk)) ?? [] { sink.yield(item) }
      }
      sink.finish()
    }
    self.task = task
    self.items = items.makeAsyncIterator()
    leave = Leave(task)
  }

  mutating func nextItem() async -> EventStreamItem? {
    await items.next()
  }

  mutating func nextEvent() async throws -> TestEvent? {
    while let item = await items.next() {
      if case .event(let event) = item { return try TestEvent(event) }
    }
    return nil
  }

  /// Returns when the response has been written to its end.
  func waitForEnd() async {
    await task.value
  }
}

/// An event as a client reads it.
struct TestEvent: Equatable {
  let id: String
  let type: String
  let turnID: String
  let requestID: String
  let payload: JSONObject

  init(_ event: ServerSentEvent) throws {
    let envelope = try #require(JSONValue(parsing: event.data).objectValue)
    id = event.lastEventID
    type = event.type
    turnID = try #require(envelope["turn_id"]?.stringValue)
    requestID = try #require(envelope["request_id"]?.stringValue)
    payload = try #require(envelope["payload"]?.objectValue)
    #expect(envelope["event_id"]?.stringValue == id)
    #expect(envelope["type"]?.stringValue == type)
  }

  var isTerminal: Bool { ["turn_complete", "error", "session_escalated"].contains(type) }
}

extension [TestEvent] {
  /// The deltas joined.
  var text: String {
    filter { $0.type == "assistant_text_delta" }.compactMap { $0.payload["delta"]?.stringValue }.joined()
  }
}
