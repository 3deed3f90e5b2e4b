import EventStream

/// The meaning of an event of the origin.
enum OriginEvent: Hashable, Sendable {
  case opened
  case token(OriginPayload)
  case tool(OriginPayload)
  case end
  case unknown

  init(_ event: ServerSentEvent) {
    switch event.type {
    case "opened": self = .opened
    case "end": self = .end
    case "tool": self = OriginPayload(event.data).map { .tool($0) } ?? .unknown
    case ServerSentEvent.defaultType: self = OriginPayload(event.data).map { .token($0) } ?? .unknown
    default: self = .unknown
    }
  }
}
