/// Names a moment that the shell is asked to report.
package enum TurnDeadline: Codable, Hashable, Sendable {
  /// The window in which calls gather in a batch has ended.
  case batchWindow(batchID: Int)
  /// The backend no longer waits for this call.
  case toolCall(ToolCallKey)
  /// An undelivered result is tried again.
  case resultRetry(ToolCallKey)
  /// An unanswered message is tried again.
  case messageRetry(requestID: String)
  /// The running turn has been silent for too long.
  case turnWatchdog(requestID: String)
}
