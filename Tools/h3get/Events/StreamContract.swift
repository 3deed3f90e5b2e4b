import EventStream
import Foundation

/// The mark of a stream's last event, where the kind of stream is known by its first: one that ends without it was
/// cut.
///
/// HTTP does not show it: a proxy that loses its server often ends the response gracefully.
enum StreamContract: Sendable {
  /// Nothing but data was seen that belongs to no known kind.
  case unknown
  /// Chunks of a chat or text completion, then `[DONE]`.
  case completion
  /// Typed events of a response (`response.created`, …), the last of them `response.completed` or the like.
  case response
  /// Typed events of a message, from `message_start` to `message_stop`.
  case message

  /// The data that ends a stream of completion chunks, and is taken as the end of any stream.
  static let done = "[DONE]"

  init(firstEvent event: ServerSentEvent) {
    switch event.type {
    case "message_start": self = .message
    case _ where event.type.hasPrefix("response."): self = .response
    default: self = Self.isCompletionChunk(event.data) ? .completion : .unknown
    }
  }

  /// Whether the stream may end after this event.
  func isLast(_ event: ServerSentEvent) -> Bool {
    switch self {
    case .unknown: true
    case .completion: event.data == Self.done
    case .response:
      ["response.completed", "response.failed", "response.incomplete", "response.cancelled", "error"]
        .contains(event.type)
    case .message: ["message_stop", "error"].contains(event.type)
    }
  }

  /// The missing end, for a sentence.
  var lastEventName: String {
    switch self {
    case .unknown: "last event"
    case .completion: Self.done
    case .response: "response.completed"
    case .message: "message_stop"
    }
  }

  private static func isCompletionChunk(_ data: String) -> Bool {
    guard let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any] else { return false }
    return ["chat.completion.chunk", "text_completion"].contains(object["object"] as? String)
  }
}
