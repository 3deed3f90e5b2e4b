/// Names of the events that the session contract knows.
public enum ResolveKitEventType {
  public static let assistantTextDelta = "assistant_text_delta"
  public static let toolCallRequest = "tool_call_request"
  public static let turnComplete = "turn_complete"
  public static let error = "error"
  public static let sessionEscalated = "session_escalated"
  public static let humanMessage = "human_message"
  public static let feedbackRequested = "feedback_requested"
}
