import EventStream

/// The meaning of an event of the origin.
enum StreamEvent: Hashable, Sendable {
  case opened
  case token(EventPayload)
  case tool(EventPayload)
  case end
  case unknown

  init(_ event: ServerSentEvent) {
    switch event.type {
    case "opened": self = .opened
    case "end": self = .end
    case "tool": self = EventPayload(event.data).map { .tool($0) } ?? .unknown
    case ServerSentEvent.defaultType: self = EventPayload(event.data).map { .token($0) } ?? .unknown
    default: self = .unknown
    }
  }
}
