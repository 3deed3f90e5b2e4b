/// A message that codex sends unasked.
package enum AppServerEvent: Hashable, Sendable {
  case notification(AppServerNotification)
  /// To be answered by `AppServerConnection.answer` or `refuse`, or the turn waits for ever.
  case request(AppServerRequest)
}
