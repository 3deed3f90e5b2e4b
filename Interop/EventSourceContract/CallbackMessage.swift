import EventStream
import StreamTransport

/// A message to the harness about a stream.
enum CallbackMessage: Equatable, Sendable {
  case event(type: String, data: String, id: String)
  case comment(String)
  case error(String)

  /// Nil for what the harness does not ask about.
  init?(_ update: EventSourceUpdate) {
    switch update {
    case .event(let event, _): self = .event(type: event.type, data: event.data, id: event.lastEventID)
    case .comment(let text): self = .comment(text)
    case .disconnected(let reason, let isClean, _):
      // A response that ends gracefully is no error, and a restart is what the harness wanted.
      if isClean { return nil }
      if case .restarted = reason { return nil }
      self = .error(reason.description)
    case .connecting, .opened, .idCommitted: return nil
    }
  }
}

extension CallbackMessage: Encodable {
  private enum Key: String, CodingKey {
    case kind, event, comment, error
  }

  private enum EventKey: String, CodingKey {
    case type, data, id
  }

  func encode(to encoder: any Encoder) throws {
    var message = encoder.container(keyedBy: Key.self)
    switch self {
    case .event(let type, let data, let id):
      try message.encode("event", forKey: .kind)
      var event = message.nestedContainer(keyedBy: EventKey.self, forKey: .event)
      try event.encode(type, forKey: .type)
      try event.encode(data, forKey: .data)
      if !id.isEmpty { try event.encode(id, forKey: .id) }
    case .comment(let text):
      try message.encode("comment", forKey: .kind)
      try message.encode(text, forKey: .comment)
    case .error(let text):
      try message.encode("error", forKey: .kind)
      // The specification says `comment`, and the harness reads `error`.
      try message.encode(text, forKey: .comment)
      try message.encode(text, forKey: .error)
    }
  }
}
