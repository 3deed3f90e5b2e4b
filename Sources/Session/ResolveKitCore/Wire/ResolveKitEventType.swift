/// Names of the events that the session contract knows.
public enum ResolveKitEventType {
  /// More of the answer: ``ResolveKitTextDelta``.
  public static let assistantTextDelta = "assistant_text_delta"
  /// A call of a tool: ``ResolveKitToolCallRequest``.
  public static let toolCallRequest = "tool_call_request"
  /// The end of a turn that succeeded: ``ResolveKitTurnComplete``.
  public static let turnComplete = "turn_complete"
  /// The end of a turn that failed: ``ResolveKitServerErrorPayload``.
  public static let error = "error"
  /// The conversation was handed over to a person, for the `reason` in the payload; ends the turn as well.
  public static let sessionEscalated = "session_escalated"
  /// A message of that person: `message_id` and `text`. Comes outside any turn.
  public static let humanMessage = "human_message"
  /// The server asks for a rating; with `immediate` false, only after 15 s without a new message.
  public static let feedbackRequested = "feedback_requested"
}
