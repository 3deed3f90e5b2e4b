import HTTP3Engine
import HTTPTypes

/// The open requests of a client's connection by stream, and which of them have no response yet.
struct ClientStreams {
  private var streams: [StreamID: ClientStream] = [:]
  /// Requests whose response has not begun.
  private var awaited: Set<StreamID> = []
  private var doesCallerExpect = false

  var isEmpty: Bool { streams.isEmpty }
  var ids: [StreamID] { Array(streams.keys) }

  /// Whether something is awaited: a response, or by the caller's word a part of one that is open.
  var isResponseExpected: Bool { doesCallerExpect || !awaited.isEmpty }

  subscript(id: StreamID) -> ClientStream? { streams[id] }

  mutating func open(_ stream: ClientStream, as id: StreamID) {
    streams[id] = stream
    awaited.insert(id)
  }

  /// The final response's fields have come.
  mutating func receiveHead(_ head: HTTPResponse, on id: StreamID) {
    guard let stream = streams[id] else { return }
    awaited.remove(id)
    stream.head.answer(.success(head))
  }

  /// Forgets the stream, whose number may be another request's later; nil where it is forgotten already.
  mutating func remove(_ id: StreamID) -> ClientStream? {
    awaited.remove(id)
    return streams.removeValue(forKey: id)
  }

  mutating func removeAll() -> [ClientStream] {
    defer {
      streams = [:]
      awaited = []
    }
    return Array(streams.values)
  }

  /// Whether the caller awaits something on open responses; false where that was known.
  mutating func setCallerExpectation(_ isExpected: Bool) -> Bool {
    guard isExpected != doesCallerExpect else { return false }
    doesCallerExpect = isExpected
    return true
  }
}
