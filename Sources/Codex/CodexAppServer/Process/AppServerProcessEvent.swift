/// A change in codex's process.
package enum AppServerProcessEvent: Sendable {
  /// The process answers. Its events are to be read from now on.
  /// - Parameter joined: whether it was running already: threads may be in a turn, and are to be resumed.
  case started(AppServerConnection, AppServerGreeting, joined: Bool)
  /// The process ended or could not be started; it is restarted after that time.
  case ended(AppServerError, restartAfter: Duration)
}
