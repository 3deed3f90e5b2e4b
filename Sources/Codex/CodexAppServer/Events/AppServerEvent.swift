/// A message that codex sends without a request.
package enum AppServerEvent: Hashable, Sendable {
  case notification(AppServerNotification)
  /// A request that has to be answered by `AppServerConnection.answer` or `refuse`, or the turn waits for ever.
  case request(AppServerRequest)
}
