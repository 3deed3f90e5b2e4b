package import ResolveKitCore

/// The messages and activities of a chat, the oldest first: all, or a page of them.
package struct ChatTimeline: Hashable, Sendable {
  package var messages: [ChatMessage]
  package var activities: [ChatActivity]
  /// The cursor of the page before; nil where this one begins with the chat.
  package var olderCursor: Int?
  /// Lines of the rollout that were longer than is read.
  package var skippedLines: Int
  /// The cursor to follow the chat's events from: they repeat the latest turn, so that nothing is missing between the two.
  package var streamCursor: Int64?
  /// The turn that is repeated; nil where none is.
  package var streamTurnID: String?

  package init(
    messages: [ChatMessage] = [], activities: [ChatActivity] = [], olderCursor: Int? = nil, skippedLines: Int = 0
  ) {
    self.messages = messages
    self.activities = activities
    self.olderCursor = olderCursor
    self.skippedLines = skippedLines
  }

  /// The same with where its events are followed from.
  package func followed(from cursor: Int64, turnID: String?) -> ChatTimeline {
    var followed = self
    followed.streamCursor = cursor
    followed.streamTurnID = turnID
    return followed
  }

  /// The body of `GET /v1/chats/{id}/timeline`; all but the first two are extensions.
  package var json: JSONValue {
    [
      "messages": .array(messages.map(\.json)), "activities": .array(activities.map(\.json)),
      "olderCursor": olderCursor.map { .number(Double($0)) } ?? .null, "skippedLines": .number(Double(skippedLines)),
      "streamCursor": streamCursor.map { .number(Double($0)) } ?? .null,
      "streamTurnId": streamTurnID.map { .string($0) } ?? .null,
    ]
  }
}
