extension AppServerError {
  /// A message is longer than `limit` bytes.
  static func tooLarge(limit: Int) -> AppServerError {
    AppServerError(
      .tooLarge,
      "A message of codex is longer than the limit of \(limit) bytes; read the thread with fewer items, or raise the limit."
    )
  }

  /// A message that was to be sent is longer than `limit` bytes.
  static func tooLargeToSend(limit: Int) -> AppServerError {
    AppServerError(.tooLarge, "The message to codex is longer than the limit of \(limit) bytes; send less at once.")
  }

  /// Codex broke a rule of WebSocket.
  static func webSocket(_ what: String, cause: (any Error)? = nil) -> AppServerError {
    AppServerError(.protocolViolation, "Codex broke the rules of WebSocket: \(what). Connect anew.", cause: cause)
  }
}
