package import ResolveKitCore

/// The messages and activities of a chat, the oldest first: all, or a page of them.
package struct ChatTimeline: Hashable, Sendable {
  package var messages: [ChatMessage]
  package var activities: [ChatActivity]
  /// What to ask for to get the page before; nil where this one begins with the chat.
  package var olderCursor: Int?
  /// Lines of the rollout that were longer than is read.
  package var skippedLines: Int

  package init(
    messages: [ChatMessage] = [], activities: [ChatActivity] = [], olderCursor: Int? = nil, skippedLines: Int = 0
  ) {
    self.messages = messages
    self.activities = activities
    self.olderCursor = olderCursor
    self.skippedLines = skippedLines
  }

  /// The body of `GET /v1/chats/{id}/timeline`; `olderCursor` and `skippedLines` are extensions.
  package var json: JSONValue {
    [
      "messages": .array(messages.map(\.json)), "activities": .array(activities.map(\.json)),
      "olderCursor": olderCursor.map { .number(Double($0)) } ?? .null, "skippedLines": .number(Double(skippedLines)),
    ]
  }
}
